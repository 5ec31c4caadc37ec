package archtest

import (
	"reflect"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/fv"
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
	{reflect.TypeFor[solver.Cut](), mostAsked},
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

// mostOfCells is how many methods must be written for a second kind of cells.
const mostOfCells = 25

// Cells of a second kind must fill few methods, and all else of a method may be absent.
func TestCellsAreNarrow(t *testing.T) {
	cells, coder := reflect.TypeFor[fv.Cells](), reflect.TypeFor[fv.Coder]()
	n := methodsToFill(cells) + methodsToFill(coder)
	t.Logf("%v and %v: %d methods of %d", cells, coder, n, mostOfCells)
	if n > mostOfCells {
		t.Errorf("%v and %v have %d methods; must be at most %d", cells, coder, n, mostOfCells)
	}
	of := reflect.TypeFor[fv.Method]()
	for i := range of.NumField() {
		switch f := of.Field(i); f.Type.Kind() {
		case reflect.Interface, reflect.Pointer, reflect.Func:
		default:
			if f.Type != reflect.TypeFor[fv.ThinWalls]() { // whose Set may be nil
				t.Errorf("Method.%s is a %v, which can't be absent", f.Name, f.Type)
			}
		}
	}
}
