package archtest

import (
	"reflect"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// seams are the interfaces that a second method must fill, each with how many methods it may have at most. An interface that is large is a seam that was cut
// around what filled it first.
var seams = []struct {
	of   reflect.Type
	most int
}{
	{reflect.TypeFor[solver.Solver](), 20},
	{reflect.TypeFor[solver.Stepper](), mostAsked},
	{reflect.TypeFor[solver.Editor](), mostAsked},
	{reflect.TypeFor[solver.Reader](), mostAsked},
	{reflect.TypeFor[solver.Coder](), mostAsked},
	{reflect.TypeFor[solver.Deadline](), mostAsked},
	{reflect.TypeFor[solver.Views](), mostAsked},
	{reflect.TypeFor[solver.Parts](), mostAsked},
	{reflect.TypeFor[solver.Foam](), mostAsked},
	{reflect.TypeFor[solver.Sounds](), mostAsked},
}

// mostAsked is how many methods one asker may ask for.
const mostAsked = 12

// methodsToFill counts what must be written to fill an interface, that of the interfaces which it embeds included.
func methodsToFill(of reflect.Type) int { return of.NumMethod() }

func TestSeamsAreNarrow(t *testing.T) {
	for _, s := range seams {
		n := methodsToFill(s.of)
		t.Logf("%v: %d methods of %d", s.of, n, s.most)
		if n > s.most {
			t.Errorf("%v has %d methods; must be at most %d", s.of, n, s.most)
		}
	}
}

// What a liquid can do without is no part of what must be filled: each ability is a field that may be nil, or false.
func TestAbilitiesMayBeAbsent(t *testing.T) {
	of := reflect.TypeFor[solver.Abilities]()
	for i := range of.NumField() {
		switch f := of.Field(i); f.Type.Kind() {
		case reflect.Interface, reflect.Pointer, reflect.Bool:
		default:
			if f.Name != "Tiles" { // plain data
				t.Errorf("Abilities.%s is a %v, which can't be absent", f.Name, f.Type)
			}
		}
	}
}

func TestMethodsAreCounted(t *testing.T) {
	type inner interface {
		A()
		B()
	}
	type outer interface {
		inner
		C()
	}
	if n := methodsToFill(reflect.TypeFor[outer]()); n != 3 {
		t.Errorf("%d methods, want 3", n)
	}
}
