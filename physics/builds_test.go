package physics

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// builds are those that may round x*y+z once: Go's compiler does for what they may run on.
var builds = []string{"GOAMD64=v3", "GOARCH=arm64"}

// In no build is a product rounded only with the sum that it is in: see portable.go. The compiler says where it would.
func TestNothingIsFused(t *testing.T) {
	needsGo(t)
	for _, machine := range builds {
		t.Run(machine, func(t *testing.T) {
			if got := fused(t, machine, "./testdata/fused"); len(got) != 1 || !strings.Contains(got[0], "fused.go:4:") {
				t.Fatalf("the compiler says that it fuses %q, want one place in fused.go, line 4", got)
			}
			if got := fused(t, machine, "."); len(got) > 0 {
				t.Errorf("%s rounds %d products only with a sum; convert them, as in float64(x*y) + z:\n%s", machine, len(got), strings.Join(got, "\n"))
			}
		})
	}
}

// fused lists where a build of a package rounds a product with a sum: file:line:column of the call that was inlined
// and so on down to the sum. The go command repeats what the compiler said when it takes a build from its cache.
func fused(t *testing.T, machine, dir string) (places []string) {
	t.Helper()
	build := exec.Command("go", "build", "-gcflags=-d=fmahash=vy", "-o", os.DevNull, dir)
	build.Env = append(os.Environ(), machine, "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if place, _, ok := strings.Cut(line, " [bisect-match"); ok {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// roundsAlike is what rounds alike in any build: single operations, differences that are exact, and bits. The rest of
// these packages is compiled with products fused, or, as math.Exp and math.Hypot, is another program for each machine;
// what of it is needed is in portable.go. r3.Scale is not in itself at fault, but inlined into a sum it is.
var roundsAlike = map[string]map[string]bool{
	"math": names("Abs Ceil Copysign FMA Float64bits Float64frombits Floor Frexp Inf IsInf IsNaN Ldexp Max Min Mod NaN Remainder Round RoundToEven " +
		"Signbit Sqrt Trunc Ln2 MaxFloat64 Pi SmallestNonzeroFloat32"),
	"gonum.org/v1/gonum/spatial/r3": names("Add Sub Box Vec"),
	"gonum.org/v1/gonum/num/quat":   names("Conj Number Sub"),
}

func names(list string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		set[name] = true
	}
	return set
}

func TestWhatIsCalledRoundsAlike(t *testing.T) {
	files, err := filepath.Glob("*.go")
	check(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, nil, 0)
		check(t, err)
		for _, at := range callsOthers(f) {
			t.Errorf("%s: %s.%s may round otherwise in another build: see portable.go", set.Position(at.Pos()), at.X, at.Sel)
		}
	}
}

// callsOthers lists what a file uses of a package in roundsAlike that is not in its list.
func callsOthers(f *ast.File) (found []*ast.SelectorExpr) {
	alike := map[string]map[string]bool{} // by the name of the package in the file
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		set, ok := roundsAlike[path]
		switch {
		case !ok:
		case i.Name != nil:
			alike[i.Name.Name] = set
		default:
			alike[path[strings.LastIndex(path, "/")+1:]] = set
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if p, ok := s.X.(*ast.Ident); ok && p.Obj == nil && alike[p.Name] != nil && !alike[p.Name][s.Sel.Name] {
				found = append(found, s)
			}
		}
		return true
	})
	return found
}

// The same calls give the same bits in any build, with AVX2 kernels and with their twins in plain Go.
func TestSameBitsForAnyBuild(t *testing.T) {
	needsGo(t)
	if runtime.GOARCH != "amd64" {
		t.Skip("compares with amd64")
	}
	want := bitsOf(t, "GOAMD64=v1")
	if len(want) < 240 {
		t.Fatalf("%d steps", len(want))
	}
	for _, machine := range builds {
		t.Run(machine, func(t *testing.T) {
			run := []string{}
			if machine == "GOARCH=arm64" {
				run = append(run, "qemu-aarch64")
				if _, err := exec.LookPath(run[0]); err != nil {
					t.Skip(err, "(Debian's package qemu-user)")
				}
			}
			got := bitsOf(t, machine, run...)
			for i := range want {
				if i >= len(got) || got[i] != want[i] {
					t.Fatalf("%s gives other bits than GOAMD64=v1 from step %d on", machine, i+1)
				}
			}
		})
	}
}

// bitsOf is what testdata/bits prints, built for a machine, and run by a program of its own if the machine is another.
func bitsOf(t *testing.T, machine string, run ...string) []string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bits")
	build := exec.Command("go", "build", "-o", program, "./testdata/bits")
	build.Env = append(os.Environ(), machine, "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run = append(run, program)
	out, err := exec.Command(run[0], run[1:]...).CombinedOutput()
	if err != nil && strings.Contains(string(out), "microarchitecture") {
		t.Skipf("%s", out)
	} else if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.Fields(string(out))
}

func needsGo(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
}
