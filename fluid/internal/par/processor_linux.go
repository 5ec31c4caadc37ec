package par

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// processor returns the number of the processor that the calling thread runs on, or -1 if it is not known.
func processor() int {
	var number uint32
	if _, _, err := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&number)), 0, 0); err != 0 {
		return -1
	}
	return int(number)
}

// yieldThread lets other threads run on the calling thread's processor.
func yieldThread() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// leaveProcessor moves the calling thread to another of its allowed processors, if there is one. It removes the processor from the
// thread's affinity mask, at which the kernel moves the thread, and restores the mask.
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
