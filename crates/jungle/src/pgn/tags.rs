//! PGN tag pairs: names and values, in the order in which PGN wants them.

/// The tags that every record has, with their values when unknown.
pub(super) const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// The tags that repeat other fields of a record.
pub(super) const RESERVED: [&str; 5] = ["Result", "Variant", "Rules", "SetUp", "FEN"];

/// How many tags a record may have.
pub const MAX_TAGS: usize = 256;

/// Names and values.
///
/// Event, Site, Date, Round, White and Black come first, in that order; the others follow as they
/// were set. Setting one of the six to unknown is the same as not setting it. `Result`,
/// `Variant`, `Rules`, `SetUp` and `FEN` follow from the rest of a record and cannot be set.
///
/// ```
/// use jungle::pgn::Tags;
///
/// let mut tags = Tags::default();
/// tags.set("Annotator", "somebody")?;
/// tags.set("White", "Mousetrap")?;
/// tags.set("Round", "?")?;
/// let all: Vec<_> = tags.iter().collect();
/// assert_eq!(all, [("White", "Mousetrap"), ("Annotator", "somebody")]);
/// assert!(tags.set("FEN", "").is_err());
/// # Ok::<(), jungle::pgn::TagError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag, if it is set.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Sets a tag. Control characters in the value, line breaks among them, become spaces.
    ///
    /// # Errors
    ///
    /// If the name is not made of letters, digits and underscores, or belongs to another field of
    /// the record, or there are [`MAX_TAGS`] others.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        let well_formed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(well_formed) {
            return Err(TagError::Name(name.to_owned()));
        }
        if RESERVED.contains(&name) {
            return Err(TagError::Reserved(name.to_owned()));
        }
        if ROSTER.contains(&(name, value)) {
            self.remove(name);
            return Ok(());
        }
        let value = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if let Some((_, old)) = self.0.iter_mut().find(|(known, _)| known == name) {
            *old = value;
            return Ok(());
        }
        if self.0.len() >= MAX_TAGS {
            return Err(TagError::TooMany);
        }
        let place = self.0.partition_point(|(known, _)| rank(known) <= rank(name));
        self.0.insert(place, (name.to_owned(), value));
        Ok(())
    }

    /// Removes a tag and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(index).1)
    }

    /// All tags that are set, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// The place of a tag: the six in their order, then all others.
fn rank(name: &str) -> usize {
    ROSTER.iter().position(|(known, _)| *known == name).unwrap_or(ROSTER.len())
}

/// Why a tag cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TagError {
    /// The name is not made of letters, digits and underscores.
    #[error("'{0}' is not a name for a tag: use letters, digits and underscores")]
    Name(String),
    /// The tag follows from another field of the record.
    #[error("the tag {0} follows from the record: set the field of the record")]
    Reserved(String),
    /// There are too many.
    #[error("there are more than {MAX_TAGS} tags: remove some")]
    TooMany,
}
