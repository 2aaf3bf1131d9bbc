//! The functions of the module, for the page's workers: text in, text out.
//!
//! A worker writes the path, the query and the body of a request, separated by zero bytes, into memory that it was
//! [given](desk_allocate), and [asks](desk_ask). Events and the answer are handed to the imported function `tell`; files of
//! the site are had from the imported functions `fetch` and `take`.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tablebase::storage::Fetched;

use crate::{Desk, Files, Question};

#[link(wasm_import_module = "mousetrap")]
unsafe extern "C" {
    /// Hands text to the page: an event (status 0) with its name, or the answer with its status and media type.
    fn tell(status: u32, name: *const u8, name_len: usize, text: *const u8, text_len: usize);
    /// Fetches the bytes of a file from `start` to `end`, or all if `end` is 0; returns how many there are, -1 if there is
    /// no such file, or -2 if it cannot be had.
    fn fetch(path: *const u8, path_len: usize, start: u64, end: u64) -> i64;
    /// Copies what was fetched last; returns the length of the whole file.
    fn take(buffer: *mut u8) -> u64;
}

unsafe extern "C" {
    /// Made by the linker: what has to run before anything else.
    fn __wasm_call_ctors();
    /// Of the C library: makes the first thread one of its own.
    #[cfg(feature = "threads")]
    fn __wasi_init_tp();
}

/// Sets up the C library; to be called first, and once, where memory is shared. Without a call of the constructors
/// somewhere, the linker would have every function run them, and the destructors after it.
#[unsafe(no_mangle)]
pub extern "C" fn _initialize() {
    // SAFETY: called once, before everything else.
    unsafe {
        #[cfg(feature = "threads")]
        __wasi_init_tp();
        __wasm_call_ctors();
    }
}

/// The site that the page came from.
struct Page;

impl Files for Page {
    fn whole(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        match self.part(path, 0..0) {
            Ok(fetched) => Ok(Some(fetched.bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn part(&self, path: &str, range: Range<u64>) -> io::Result<Fetched> {
        // SAFETY: the page reads the path while it is borrowed.
        let length = unsafe { fetch(path.as_ptr(), path.len(), range.start, range.end) };
        let Ok(length) = usize::try_from(length) else {
            let is_missing = length == -1;
            let kind =
                if is_missing { io::ErrorKind::NotFound } else { io::ErrorKind::NotConnected };
            return Err(kind.into());
        };
        let mut bytes = vec![0; length];
        // SAFETY: the page writes as many bytes as it said.
        let size = unsafe { take(bytes.as_mut_ptr()) };
        Ok(Fetched { bytes, size })
    }
}

static DESK: Mutex<Option<Desk>> = Mutex::new(None);

fn desk() -> MutexGuard<'static, Option<Desk>> {
    DESK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets up the desk, with an engine on this many threads. Returns the address of the flag, a byte, that stops what
/// is under way: of use where memory is shared.
#[unsafe(no_mangle)]
pub extern "C" fn desk_open(threads: usize) -> *const u8 {
    let desk = Desk::new(Arc::new(Page), threads);
    let flag = Arc::as_ptr(desk.stop_flag()).cast();
    *self::desk() = Some(desk);
    flag
}

/// Memory for a request of this length.
#[unsafe(no_mangle)]
pub extern "C" fn desk_allocate(len: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; len].into_boxed_slice()).cast()
}

/// Answers a request in memory that [`desk_allocate`] gave, and frees it.
///
/// # Safety
///
/// The pointer and the length are those of one call of [`desk_allocate`], and used once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn desk_ask(request: *mut u8, len: usize) {
    // SAFETY: the caller promises that this is a box of that length, and that it is given up.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(request, len)) };
    let request = String::from_utf8_lossy(&request);
    let mut parts = request.splitn(3, '\0');
    let mut part = || parts.next().unwrap_or_default();
    let question = Question { path: part(), query: part(), body: part() };
    let mut desk = desk();
    let Some(desk) = desk.as_mut() else { return };
    let reply = desk.ask(question, &mut |name, text| say(0, name, text));
    say(reply.status.into(), reply.kind, &reply.body);
}

fn say(status: u32, name: &str, text: &str) {
    // SAFETY: the page copies the texts while they are borrowed.
    unsafe { tell(status, name.as_ptr(), name.len(), text.as_ptr(), text.len()) };
}
