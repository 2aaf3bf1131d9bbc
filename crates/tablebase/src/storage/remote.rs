//! Remote storage: table files read by ranges of bytes, such as HTTP range requests.
//!
//! What takes time is the number of requests. Opening a file brings its first 64 KiB along, or 128 KiB if it has
//! more than four pieces: the header, the models, and in tables of up to four pieces the whole index. A file
//! that is hardly longer is then fetched to its end. Of a longer one, a probe asks for the part of the index that it needs, if that is further on, and
//! then for the group of its position. How requests are made is left to a [`Fetch`].
//!
//! A host is not trusted: whatever it sends has the length that was asked for or is refused, and bytes count
//! for nothing before their checksum is verified.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::{ReadAt, Storage};
use crate::table::class_of_file;

/// How many bytes of a file come with opening it. In tables of more pieces than [`FEW`], headers and models
/// are longer: twice as many.
const FRONT: u64 = 64 << 10;
const FEW: u32 = 4;
/// Files of up to this many bytes are fetched whole.
const WHOLE: u64 = 192 << 10;

/// Fetches ranges of files from another machine.
pub trait Fetch: Send + Sync {
    /// Some bytes of a file, as an HTTP request with a `Range` header would: fewer if the file ends
    /// before the range does. A host that sends the whole file instead is fine.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::NotFound`] if there is no such file; any other if the host cannot be asked.
    fn fetch(&self, file: &str, range: Range<u64>) -> io::Result<Fetched>;
}

/// What a host sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The bytes of the range.
    pub bytes: Vec<u8>,
    /// How many bytes the whole file has, as `Content-Range` says.
    pub size: u64,
}

/// Table files on another machine, read by ranges.
pub struct Ranges<F> {
    host: Arc<F>,
    front: u64,
    whole: u64,
}

impl<F: Fetch> Ranges<F> {
    /// The files of a host.
    pub fn new(host: F) -> Ranges<F> {
        Ranges { host: Arc::new(host), front: FRONT, whole: WHOLE }
    }

    /// The same files: opening one of up to four pieces fetches `front` bytes, at least one, and twice as many
    /// of a larger one; and all of it if it has at most `whole`.
    #[must_use]
    pub fn with_limits(self, front: u64, whole: u64) -> Ranges<F> {
        Ranges { front: front.max(1), whole, ..self }
    }

    /// How many bytes come with opening a file.
    fn front_of(&self, file: &str) -> u64 {
        let is_large = class_of_file(file).is_some_and(|class| class.pieces() > FEW);
        if is_large { self.front.saturating_mul(2) } else { self.front }
    }
}

impl<F: Fetch + 'static> Storage for Ranges<F> {
    fn open(&self, file: &str) -> io::Result<Option<Box<dyn ReadAt>>> {
        let wanted = self.front_of(file);
        let fetched = match self.host.fetch(file, 0..wanted) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            fetched => fetched?,
        };
        let size = fetched.size;
        let mut front = fetched.part(size, 0..wanted.min(size))?;
        let end = front.len() as u64;
        if end < size && size <= self.whole {
            front.extend(self.host.fetch(file, end..size)?.part(size, end..size)?);
        }
        let host = self.host.clone();
        Ok(Some(Box::new(RemoteFile { host, name: file.to_owned(), size, front: front.into() })))
    }
}

impl Fetched {
    /// The bytes of a range of a file of this size. At its front, more than was asked for is welcome.
    fn part(mut self, size: u64, range: Range<u64>) -> io::Result<Vec<u8>> {
        if self.size != size {
            return Err(io::Error::other("the file has changed on the host"));
        }
        let (got, asked) = (self.bytes.len() as u64, range.end - range.start);
        if got == asked || got == size && range.start == 0 {
            return Ok(self.bytes);
        }
        if got != size {
            let what = format!("the host sent {got} bytes where {asked} were asked for");
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        self.bytes.truncate(range.end as usize);
        Ok(self.bytes.split_off(range.start as usize))
    }
}

/// A file on another machine.
struct RemoteFile<F> {
    host: Arc<F>,
    name: String,
    size: u64,
    /// The bytes that came with opening it, until they are taken.
    front: Mutex<Vec<u8>>,
}

impl<F: Fetch> RemoteFile<F> {
    /// Copies what is at hand of the bytes from `offset` on; returns how many these are.
    fn copy_front(&self, offset: u64, buffer: &mut [u8]) -> usize {
        let front = self.front.lock().unwrap_or_else(PoisonError::into_inner);
        let there = usize::try_from(offset).ok().and_then(|offset| front.get(offset..));
        let there = there.unwrap_or_default();
        let len = there.len().min(buffer.len());
        buffer[..len].copy_from_slice(&there[..len]);
        len
    }
}

impl<F: Fetch> ReadAt for RemoteFile<F> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(buffer.len() as u64).filter(|&end| end <= self.size);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let copied = self.copy_front(offset, buffer);
        let rest = &mut buffer[copied..];
        if !rest.is_empty() {
            let range = offset + copied as u64..end;
            let fetched = self.host.fetch(&self.name, range.clone())?;
            let bytes = fetched.part(self.size, range)?;
            rest.copy_from_slice(bytes.get(..rest.len()).ok_or(io::ErrorKind::UnexpectedEof)?);
        }
        Ok(())
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn take_front(&self) -> Vec<u8> {
        std::mem::take(&mut self.front.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
