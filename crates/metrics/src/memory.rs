//! How much memory one parse may hold, and how one that asks for more is stopped.
//!
//! Where text leaves tree-sitter with many guesses, it copies its stack for each of them at the end of the file:
//! gigabytes for some hundred KiB of text, in one step that nothing stops. But in that step it asks for memory. Here a
//! thread's parser is given the C library's memory, as ever, and it is counted what it holds. Who asks for more than is
//! allowed gets no answer: the thread says so, gives back its large blocks, which are nearly all that it holds, and sleeps
//! until the process ends. It cannot be ended itself, since its calls of C code cannot be left.
#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::ffi::c_void;
use std::sync::Once;
use std::thread;

use tree_sitter::Allocator;

/// Blocks from this size on, in bytes, are given back. There are few of them, so that remembering them costs nothing.
const LARGE: usize = 4 << 10;

/// What a thread may have that parses nothing.
const UNBOUNDED: usize = usize::MAX;

thread_local! {
    /// How many bytes a thread's parser may still have. By itself, as nothing is asked more often.
    static LEFT: Cell<usize> = const { Cell::new(UNBOUNDED) };
    static PARSE: RefCell<Option<Parse>> = const { RefCell::new(None) };
}

/// What a thread's parser does within bounds.
struct Parse {
    /// Addresses of the large blocks that it has.
    large: HashSet<usize>,
    exceeded: Box<dyn FnOnce()>,
}

/// Lets all parsers have their memory from here. To be called before anything is parsed; again, it does nothing.
pub(crate) fn install() {
    static INSTALLED: Once = Once::new();
    let functions = Allocator { malloc: allocate, calloc: allocate_zeroed, realloc: reallocate, free: release };
    // SAFETY: the functions are the C library's, as tree-sitter's own are, so that either may free the other's blocks.
    // They return nothing but what the library gives, and no null.
    INSTALLED.call_once(|| unsafe { tree_sitter::set_allocator(Some(functions)) });
}

/// Does something within this many bytes. Where more is asked for, `exceeded` is called, and the thread never returns.
pub(crate) fn within<T>(bytes: usize, exceeded: impl FnOnce() + 'static, work: impl FnOnce() -> T) -> T {
    PARSE.set(Some(Parse { large: HashSet::new(), exceeded: Box::new(exceeded) }));
    LEFT.set(bytes);
    let done = work();
    LEFT.set(UNBOUNDED);
    PARSE.set(None);
    done
}

/// Counts a block that a parser gets. Says whether it may have it.
fn take(block: *mut c_void) -> bool {
    let left = LEFT.get();
    if left == UNBOUNDED {
        return true;
    }
    let size = size_of_block(block);
    if size >= LARGE {
        with_large(|large| _ = large.insert(block as usize));
    }
    LEFT.set(left.saturating_sub(size));
    size <= left
}

/// Counts a block that a parser gives back.
fn give(block: *mut c_void) {
    let left = LEFT.get();
    if left == UNBOUNDED {
        return;
    }
    let size = size_of_block(block);
    if size >= LARGE {
        with_large(|large| _ = large.remove(&(block as usize)));
    }
    LEFT.set(left + size);
}

fn with_large(act: impl FnOnce(&mut HashSet<usize>)) {
    let _ = PARSE.try_with(|parse| {
        if let Some(parse) = parse.try_borrow_mut().ok().as_deref_mut().and_then(Option::as_mut) {
            act(&mut parse.large);
        }
    });
}

/// The block, if it exists and may be had.
fn granted(block: *mut c_void, size: usize) -> *mut c_void {
    let is_missing = block.is_null() && size > 0;
    if is_missing || !take(block) {
        stop();
    }
    block
}

/// Ends what the thread does, for good.
fn stop() -> ! {
    LEFT.set(UNBOUNDED);
    let Ok(Some(parse)) = PARSE.try_with(RefCell::take) else {
        // Memory is at an end outside of any parse; tree-sitter's own functions do the same.
        std::process::abort();
    };
    for block in parse.large {
        // SAFETY: the block was handed out here and not freed. Whoever has it is on this thread, which does nothing more.
        unsafe { libc::free(block as *mut c_void) };
    }
    (parse.exceeded)();
    loop {
        thread::park();
    }
}

fn size_of_block(block: *mut c_void) -> usize {
    // SAFETY: `block` is null or comes from the C library's functions.
    unsafe { libc::malloc_usable_size(block) }
}

unsafe extern "C" fn allocate(size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    granted(unsafe { libc::malloc(size) }, size)
}

unsafe extern "C" fn allocate_zeroed(count: usize, size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    granted(unsafe { libc::calloc(count, size) }, count.saturating_mul(size))
}

unsafe extern "C" fn reallocate(block: *mut c_void, size: usize) -> *mut c_void {
    give(block);
    // SAFETY: the caller's block comes from these functions.
    granted(unsafe { libc::realloc(block, size) }, size)
}

unsafe extern "C" fn release(block: *mut c_void) {
    give(block);
    // SAFETY: the caller's block comes from these functions.
    unsafe { libc::free(block) };
}
