//! Keys: secrets that hold a seat, what is kept of them, and the names of duels.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What keys are hashed for, so that no hash is good for anything else.
const STORED: &str = "mousetrap duel 1: what is kept of a key";
const INVITATION: &str = "mousetrap duel 1: the invitation of a host";
const NAME: &str = "mousetrap duel 1: the name of a duel";
const REMATCH: &str = "mousetrap duel 1: the name of a rematch";

/// A secret of 128 bits: whoever has it holds a seat, or may take one. As text, 32 digits of hexadecimal.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = String, pattern = "^[0-9a-f]{32}$"))]
pub struct Key([u8; 16]);

/// What is kept of a key: enough to know it again, not to find it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct KeyHash([u8; 32]);

/// The name of a duel, with which one can watch it: 128 bits that nobody guesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = String))]
pub struct DuelId([u8; 16]);

/// A text is neither a key nor the name of a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "keys and names of games have exactly 32 digits of hexadecimal, in small letters: copy the whole link"
)]
pub struct BadKey;

fn short(hash: [u8; 32]) -> [u8; 16] {
    std::array::from_fn(|index| hash[index])
}

impl Key {
    /// The key of these bits.
    pub const fn from_bytes(bytes: [u8; 16]) -> Key {
        Key(bytes)
    }

    /// What is kept of it.
    pub fn hash(&self) -> KeyHash {
        KeyHash(blake3::derive_key(STORED, &self.0))
    }

    /// The key with which somebody accepts the invitation of the holder of this one.
    #[must_use]
    pub fn invitation(&self) -> Key {
        Key(short(blake3::derive_key(INVITATION, &self.0)))
    }

    /// The duel that this key invites to.
    pub fn duel(&self) -> DuelId {
        DuelId(short(blake3::derive_key(NAME, &self.0)))
    }
}

impl DuelId {
    /// The duel that follows when both want another.
    #[must_use]
    pub fn rematch(&self) -> DuelId {
        DuelId(short(blake3::derive_key(REMATCH, &self.0)))
    }
}

impl KeyHash {
    /// Whether it is the hash of this key. Both are hashes, so how long it takes tells nothing.
    pub fn is_of(&self, key: &Key) -> bool {
        *self == key.hash()
    }
}

fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

fn read_hex<const N: usize>(text: &str) -> Result<[u8; N], BadKey> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Ok(byte - b'0'),
        b'a'..=b'f' => Ok(byte - b'a' + 10),
        _ => Err(BadKey),
    };
    let text = text.as_bytes();
    if text.len() != 2 * N {
        return Err(BadKey);
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Ok(bytes)
}

macro_rules! hexadecimal {
    ($($name:ident)*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_hex(f, &self.0)
            }
        }

        impl FromStr for $name {
            type Err = BadKey;

            fn from_str(text: &str) -> Result<$name, BadKey> {
                read_hex(text).map($name)
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadKey;

            fn try_from(text: String) -> Result<$name, BadKey> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> String {
                value.to_string()
            }
        }
    )*};
}

hexadecimal!(Key KeyHash DuelId);

/// Without the secret.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyHash({self})")
    }
}

impl fmt::Debug for DuelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DuelId({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_written_as_they_are_read_and_nothing_else_is_one() {
        let key = Key::from_bytes(std::array::from_fn(|index| (index * 17) as u8));
        assert_eq!(key.to_string(), "00112233445566778899aabbccddeeff");
        assert_eq!(key.to_string().parse(), Ok(key.clone()));
        assert_eq!(format!("{key:?}"), "Key(…)", "a log has no secrets");
        for bad in ["", "0", &"0".repeat(31), &"0".repeat(33), &"A".repeat(32), &"é".repeat(16)] {
            assert_eq!(bad.parse::<Key>(), Err(BadKey), "{bad}");
        }
    }

    #[test]
    fn what_follows_from_a_key_does_not_tell_it() {
        let key = Key::from_bytes([7; 16]);
        let (invitation, other) = (key.invitation(), Key::from_bytes([8; 16]));
        assert!(key.hash().is_of(&key) && !key.hash().is_of(&invitation));
        assert!(!key.hash().is_of(&other));
        let all = [
            key.to_string(),
            invitation.to_string(),
            invitation.duel().to_string(),
            invitation.duel().rematch().to_string(),
            key.hash().to_string()[..32].to_owned(),
            other.invitation().to_string(),
        ];
        let distinct: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
    }
}
