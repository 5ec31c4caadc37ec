package main

import (
	"strings"
	"testing"

	"github.com/g3n/engine/window"
)

func TestBindings(t *testing.T) {
	keys, names := map[window.Key]bool{}, map[string]bool{}
	for _, b := range bindings {
		if keys[b.key] || names[b.name] {
			t.Errorf("%s is bound twice", b.name)
		}
		keys[b.key], names[b.name] = true, true
		if b.do == nil || !strings.Contains(helpLine(), b.name+" "+b.what) {
			t.Errorf("%s does nothing or is not in the help line", b.name)
		}
	}
}
