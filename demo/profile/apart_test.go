package main

import (
	"runtime"
	"testing"
)

func TestApart(t *testing.T) {
	ns := apart()
	if runtime.GOMAXPROCS(0) > 1 && ns == 0 {
		t.Skip("one core only is free")
	}
	if ns < 0 || ns > 1e5 {
		t.Errorf("cores are %v ns apart", ns)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if ns := apart(); ns != 0 {
		t.Errorf("one core is %v ns from itself", ns)
	}
}
