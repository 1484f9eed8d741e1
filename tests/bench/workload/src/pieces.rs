//! The pieces in which a stream may arrive.

/// How a stream is cut into pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Pieces of so many bytes.
    Every(usize),
    /// Pieces of any length up to 16 KiB, the same ones each time.
    Random,
}

impl Cut {
    /// Reads a number of bytes, or `random`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "random" => Some(Self::Random),
            length => length.parse().ok().filter(|length| *length > 0).map(Self::Every),
        }
    }

    /// The lengths of the pieces of a stream.
    #[must_use]
    pub fn lengths(self, stream: usize) -> Vec<usize> {
        let mut lengths = Vec::new();
        let mut left = stream;
        let mut random = Xorshift(0x9E37_79B9_7F4A_7C15);
        while left > 0 {
            let length = match self {
                Self::Every(length) => length,
                Self::Random => 1 + (random.next() % (16 << 10)) as usize,
            };
            lengths.push(length.min(left));
            left -= length.min(left);
        }
        lengths
    }
}

/// Numbers that look random, and are the same each time.
struct Xorshift(u64);

impl Xorshift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_up_the_whole() {
        for cut in [Cut::Every(1), Cut::Every(7), Cut::Every(1 << 20), Cut::Random] {
            assert_eq!(cut.lengths(100_001).iter().sum::<usize>(), 100_001);
        }
        assert!(Cut::Random.lengths(1 << 20).iter().all(|length| *length <= 16 << 10));
    }

    #[test]
    fn a_cut_is_read() {
        assert_eq!(Cut::parse("8192"), Some(Cut::Every(8192)));
        assert_eq!(Cut::parse("random"), Some(Cut::Random));
        assert_eq!(Cut::parse("0"), None);
        assert_eq!(Cut::parse("x"), None);
    }
}
