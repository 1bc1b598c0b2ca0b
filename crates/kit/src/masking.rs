//! Masks: how lists and exports show personal data that nobody needs in full.

/// Whether personal data is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masking {
    /// Shown only far enough to recognize a known person.
    Masked,
    /// Everything.
    Plain,
}

impl Masking {
    /// Returns a name, or its first letter.
    pub fn name(self, name: &str) -> String {
        match self {
            Self::Plain => name.to_owned(),
            Self::Masked => start(name),
        }
    }

    /// Returns an e-mail address, or its first letter and its domain.
    pub fn email(self, email: &str) -> String {
        match (self, email.rsplit_once('@')) {
            (Self::Plain, _) => email.to_owned(),
            (Self::Masked, Some((mailbox, host))) => format!("{}@{host}", start(mailbox)),
            (Self::Masked, None) => start(email),
        }
    }

    /// Returns a telephone number, or its last four digits.
    pub fn phone(self, phone: &str) -> String {
        match self {
            Self::Plain => phone.to_owned(),
            Self::Masked => {
                let hidden = phone.chars().count().saturating_sub(4);
                let mask = |(position, one)| if position < hidden { '*' } else { one };
                phone.chars().enumerate().map(mask).collect()
            }
        }
    }

    /// Returns a link or another name of a person, or nothing.
    pub fn link(self, link: &str) -> String {
        match self {
            Self::Plain => link.to_owned(),
            Self::Masked => String::new(),
        }
    }
}

/// Returns the first letter, and stars for the rest.
fn start(text: &str) -> String {
    text.chars().take(1).chain("***".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masked_data_shows_only_a_little() {
        let masked = Masking::Masked;
        assert_eq!(masked.name("Ananya"), "A***");
        assert_eq!(masked.email("john.doe@example.com"), "j***@example.com");
        assert_eq!(masked.email("nobody"), "n***");
        assert_eq!(masked.phone("+91-9876543210"), "**********3210");
        assert_eq!(masked.phone("123"), "123");
        assert_eq!(masked.link("https://linkedin.com/in/x"), "");
    }

    #[test]
    fn plain_data_is_complete() {
        let plain = Masking::Plain;
        for text in ["Ananya", "john.doe@example.com", "+91-9876543210"] {
            assert_eq!(
                [plain.name(text), plain.email(text), plain.phone(text), plain.link(text)],
                [text; 4]
            );
        }
    }
}
