package par

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// processor is the number of the processor that the calling thread is on, or -1 if that can't be known.
func processor() int {
	var number uint32
	if _, _, err := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&number)), 0, 0); err != 0 {
		return -1
	}
	return int(number)
}

// yieldThread lets threads run that wait for the calling one's processor.
func yieldThread() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// leaveProcessor moves the calling goroutine to another of the processors that its thread may run on, if there is one: the kernel moves
// a thread at once that may not stay, which is told otherwise as soon as it has gone.
func leaveProcessor(number int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var allowed unix.CPUSet
	if unix.SchedGetaffinity(0, &allowed) != nil {
		return
	}
	others := allowed
	others.Clear(number)
	if others.Count() > 0 && unix.SchedSetaffinity(0, &others) == nil {
		_ = unix.SchedSetaffinity(0, &allowed)
	}
}
