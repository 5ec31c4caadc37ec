package archtest

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// goFile returns a Go file that imports the packages.
func goFile(imports ...string) *fstest.MapFile {
	text := "package p\n"
	for _, imported := range imports {
		text += "import _ \"" + imported + "\"\n"
	}
	return &fstest.MapFile{Data: []byte(text)}
}

// The checker must find each of these, and nothing else.
func TestRulesFindViolations(t *testing.T) {
	const m = module + "/"
	cases := []struct {
		file, imported string
		want           string // part of the line; "" where the import is allowed
	}{
		{"scene/liquid.go", "github.com/g3n/engine/gls", ""},
		{"fluid/sounds/ear.go", m + "fluid/reproducible", ""},
		{"fluid/sounds/ear.go", m + "fluid/internal/boxes", "but fluid/reproducible"},
		{"fluid/report.go", m + "fluid/sounds", ""},
		{"fluid/internal/flows/passed.go", m + "fluid/sounds", ""},
		{"fluid/internal/cubes/forces/foam.go", m + "fluid/sounds", "never another stage"},
		{"demo/pool/main.go", "github.com/g3n/engine/app", ""},
		{"fluid/step.go", "github.com/g3n/engine/math32", "only scene, demo"},
		{"fluid/step_test.go", "github.com/g3n/engine/math32", "only scene, demo"},
		{"physics/world.go", "github.com/g3n/engine/math32", "only scene, demo"},
		{"assets/assets.go", "github.com/g3n/engine/texture", "only scene, demo"},
		{"fluid/internal/layout/grid.go", "github.com/g3n/engine/math32", "only scene, demo"},

		{"fluid/step.go", m + "fluid/internal/pressure", "only fluid/methods.go"},
		{"fluid/step.go", m + "fluid/internal/graph", "only fluid/methods.go"},
		{"fluid/step.go", m + "fluid/internal/fv", "only fluid/methods.go"},
		{"fluid/step.go", m + "fluid/internal/layout/sizing", "only fluid/methods.go"},
		{"fluid/methods.go", m + "fluid/internal/fv", ""},
		{"fluid/step.go", m + "fluid/internal/solver", ""},
		{"fluid/internal/fv/step.go", m + "fluid/internal/solver", ""},
		{"fluid/internal/cubes/stages.go", m + "fluid/internal/solver", "never another stage"},
		{"fluid/internal/solver/report.go", m + "fluid/internal/bodies", ""},
		{"fluid/internal/solver/report.go", m + "fluid/internal/fv", "never another stage"},
		{"fluid/step.go", m + "fluid/internal/par", ""},
		{"fluid/step.go", m + "fluid/internal/layout", "behind the seam"},
		{"fluid/step.go", m + "fluid/internal/cubes", "behind the seam"},
		{"fluid/step.go", m + "fluid/internal/track/contour", "behind the seam"},
		{"fluid/methods.go", m + "fluid/internal/cubes", ""},
		{"fluid/internal/fv/seam.go", m + "fluid/internal/layout/sizing", ""},
		{"fluid/internal/fv/seam.go", m + "fluid/internal/cubes", "behind the seam"},
		{"fluid/internal/fv/seam.go", m + "fluid/internal/layout", ""},
		{"fluid/step_test.go", m + "fluid/internal/layout", ""},
		{"fluid/step.go", m + "physics", "outside fluid/internal"},
		{"fluid/step.go", m + "scene", "outside fluid/internal"},
		{"fluid/step.go", m + "assets", "outside fluid/internal"},
		{"fluid/step_test.go", m + "physics", ""},
		{"fluid/step_test.go", m + "fluid/internal/testrig", ""},
		{"fluid/step.go", m + "fluid/internal/testrig", "only tests"},
		{"fluid/internal/cubes/blocks.go", m + "fluid/internal/testrig", "only tests"},
		{"fluid/internal/cubes/blocks_test.go", m + "fluid/internal/testrig", ""},
		{"fluid/internal/testrig/liquid.go", m + "fluid", ""},
		{"fluid/internal/testrig/liquid.go", m + "physics", ""},
		{"fluid/internal/testrig/liquid.go", m + "scene", "outside fluid/internal"},
		{"fluid/fluidtest/bodies.go", m + "fluid", ""},
		{"fluid/fluidtest/bodies.go", m + "fluid/internal/layout", "what a game sees"},
		{"fluid/fluidtest/bodies.go", m + "fluid/reproducible", ""},
		{"fluid/fluidtest/bodies.go", m + "physics", "outside fluid/internal"},
		{"fluid/fluidtrace/writer.go", m + "fluid", ""},
		{"fluid/fluidtrace/writer.go", m + "fluid/fluidtest", "what a game sees"},
		{"fluid/step.go", m + "fluid/fluidtrace", "fluid knows neither"},
		{"scene/hud.go", m + "fluid/fluidtrace", ""},
		{"fluid/step_test.go", m + "scene", "outside fluid/internal"},

		{"physics/world.go", m + "physics/internal/gjk", ""},
		{"physics/world.go", m + "fluid", "imports nothing of the module"},
		{"physics/world.go", m + "assets", "imports nothing of the module"},
		{"physics/world.go", m + "fluid/reproducible", ""},
		{"physics/world.go", m + "fluid/internal/par", "imports nothing of the module"},
		{"fluid/step.go", m + "fluid/reproducible", ""},
		{"fluid/internal/pressure/solve.go", m + "fluid/reproducible", ""},
		{"fluid/internal/par/par.go", m + "fluid/reproducible", ""},
		{"scene/adapter/bind.go", m + "fluid/reproducible", ""},
		{"demo/raylib/main.go", m + "fluid/reproducible", ""},
		{"fluid/reproducible/vec.go", "math", ""},
		{"fluid/reproducible/vec.go", m + "fluid", "reproducible imports nothing of the module"},
		{"fluid/reproducible/vec.go", m + "fluid/internal/par", "reproducible imports nothing of the module"},
		{"fluid/reproducible/vec.go", m + "physics", "outside fluid/internal"},
		{"fluid/step.go", m + "fluid/control", ""},
		{"scene/liquid.go", m + "fluid/control", ""},
		{"fluid/fluidtest/bodies.go", m + "fluid/control", ""},
		{"fluid/internal/track/mesh/mesh.go", m + "fluid/internal/cubes/advect", "nobody outside of fluid/internal/cubes"},
		{"fluid/internal/track/mesh/mesh.go", m + "fluid/internal/tets/transport", "nobody outside of fluid/internal/tets"},
		{"fluid/internal/bodies/read.go", m + "fluid/engine", ""},
		{"fluid/fluidtest/bodies.go", m + "fluid/engine", ""},
		{"fluid/engine/engine.go", m + "fluid", "fluid/engine imports nothing of the module"},
		{"physics/coupling.go", m + "fluid/engine", "imports nothing of the module"},
		{"fluid/control/clip.go", m + "fluid/reproducible", ""},
		{"fluid/control/clip.go", m + "fluid/internal/codec", ""},
		{"fluid/control/clip.go", m + "fluid/internal/layout", "any way to discretise"},
		{"fluid/control/clip.go", m + "fluid/internal/pressure", "any way to discretise"},
		{"fluid/control/clip.go", m + "fluid", "any way to discretise"},
		{"fluid/control/clip.go", m + "physics", "outside fluid/internal"},
		{"fluid/control/clip_test.go", m + "fluid", ""},
		{"fluid/reproducible/vec.go", m + "fluid/control", "reproducible imports nothing of the module"},
		{"physics/world_test.go", m + "fluid", ""},
		{"physics/world_test.go", m + "scene", "imports nothing of the module"},

		{"fluid/internal/pressure/solve.go", m + "fluid/internal/graph", ""},
		{"fluid/internal/pressure/solve.go", m + "fluid/internal/amg", ""},
		{"fluid/internal/pressure/solve.go", m + "fluid/internal/cubes/advect", "nobody outside of"},
		{"fluid/internal/pressure/solve.go", m + "fluid", "does not know fluid"},
		{"fluid/internal/pressure/solve.go", m + "physics", "outside fluid/internal"},
		{"fluid/internal/pressure/solve.go", m + "fluid/internal/archtest", "never another stage"},
		{"fluid/internal/pressure/solve_test.go", m + "fluid/internal/cubes/cutting", ""},
		{"fluid/internal/track/contour/contour.go", m + "fluid/internal/layout/sizing", "never another stage"},
		{"fluid/internal/walls/set.go", m + "fluid/internal/shapes", ""},
		{"fluid/internal/walls/set.go", m + "fluid/internal/layout", "any way to discretise"},
		{"fluid/internal/walls/set.go", m + "fluid/internal/cubes/cutting", "nobody outside of"},
		{"fluid/internal/cubes/cutting/crossing.go", m + "fluid/internal/walls", ""},
		{"fluid/internal/amg/cycle.go", m + "fluid/internal/par", ""},
		{"fluid/internal/amg/cycle.go", m + "fluid/internal/pressure", "leaf imports leaves"},
		{"fluid/internal/par/par.go", m + "fluid", "does not know fluid"},

		{"fluid/internal/cubes/blocks.go", m + "fluid/internal/cubes/cutting", ""},
		{"fluid/internal/cubes/blocks.go", m + "fluid", "does not know fluid"},
		{"fluid/internal/cubes/cutting/solids.go", m + "fluid/internal/cubes", "never another stage"},
		{"fluid/internal/par/par.go", m + "fluid/internal/cubes", "leaf imports leaves"},

		{"scene/liquid.go", m + "fluid", ""},
		{"scene/liquid.go", m + "physics", ""},
		{"scene/liquid.go", m + "assets", ""},
		{"scene/liquid.go", m + "demo/internal/rig", "scene imports"},
		{"scene/liquid.go", m + "scene/adapter", ""},
		{"scene/adapter/stepper.go", m + "fluid", ""},
		{"scene/adapter/bind.go", m + "physics", ""},
		{"scene/adapter/bind.go", "gonum.org/v1/gonum/spatial/r3", ""},
		{"scene/adapter/bind.go", "github.com/g3n/engine/core", "know nothing of g3n"},
		{"scene/adapter/bind_test.go", "github.com/g3n/engine/core", "know nothing of g3n"},
		{"scene/adapter/modelsurface.go", m + "fluid/control", ""},
		{"scene/adapter/bind.go", m + "scene", "imports fluid and physics"},
		{"scene/adapter/bind.go", m + "assets", "imports fluid and physics"},
		{"scene/adapter/bind.go", m + "fluid/fluidtrace", "imports fluid and physics"},
		{"fluid/step.go", m + "scene/adapter", "outside fluid/internal"},
		{"physics/world.go", m + "scene/adapter", "imports nothing of the module"},
		{"physics/world_test.go", m + "scene/adapter", "imports nothing of the module"},
		{"demo/pool/main.go", m + "scene/adapter", ""},
		{"demo/raylib/main.go", m + "scene/adapter", ""},
		{"demo/raylib/main.go", m + "fluid", ""},
		{"demo/raylib/main.go", m + "scene", "another engine imports"},
		{"demo/raylib/main.go", m + "demo/internal/rig", "another engine imports"},
		{"demo/raylib/main.go", "github.com/gen2brain/raylib-go/raylib", ""},
		{"demo/pool/main.go", "github.com/gen2brain/raylib-go/raylib", "only demo/raylib"},
		{"scene/liquid.go", "github.com/gen2brain/raylib-go/raylib", "only demo/raylib"},
		{"demo/pool/main.go", m + "demo/internal/rig", ""},
		{"demo/pool/main.go", m + "demo/boat", "demo/internal"},
		{"demo/pool/main.go", m + "scene", ""},
		{"assets/assets.go", m + "fluid", "imports nothing of the module"},
		{"scene/liquid.go", strings.TrimSuffix(m, "/"), "no package in the root"},

		{"fluid/step.go", "C", "pure Go"},
		{"fluid/internal/amg/cycle_test.go", "C", "pure Go"},
		{"physics/world.go", "C", "pure Go"},
		{"scene/adapter/stepper.go", "C", "pure Go"},
		{"scene/liquid.go", "C", ""},

		{"fluid/step.go", "math", ""},
		{"fluid/step.go", "gonum.org/v1/gonum/mat", ""},
		{"fluid/step.go", "github.com/kelindar/bitmap", ""},
		{"fluid/step.go", "github.com/kelindar/bitmapped", "not among the modules"},
		{"fluid/step.go", "golang.org/x/exp/constraints", "not among the modules"},
		{"scene/liquid.go", "github.com/go-gl/glfw/v3.3/glfw", "not among the modules"},
		{"fluid/step_test.go", "pgregory.net/rapid", ""},
		{"fluid/step.go", "pgregory.net/rapid", "is for tests"},
		{"fluid/step_test.go", "github.com/stretchr/testify/assert", "not among the modules"},

		{"fluid/internal/gen/layout/sample.go", "github.com/mmcloughlin/avo/build", ""},
		{"fluid/internal/gen/main.go", m + "fluid/internal/gen/layout", ""},
		{"fluid/internal/gen/layout/sample.go", m + "fluid/internal/layout", "stands alone"},
		{"fluid/internal/layout/sample_test.go", m + "fluid/internal/gen/avx", "stands alone"},
		{"fluid/internal/amg/gen/main.go", "github.com/mmcloughlin/avo/build", "only fluid/internal/gen"},
		{"physics/gen/main.go", "github.com/mmcloughlin/avo/build", "only fluid/internal/gen"},

		{"fluid/internal/util/util.go", "math", "neither a leaf nor a stage nor a method"},
		{"fluid/solver/solver.go", "math", "not in the package tree"},
		{"cmd/tool/main.go", "math", "not in the package tree"},
		{"meniscus.go", "math", "not in the package tree"},
		{"demo/demo.go", "math", "not in the package tree"},
	}
	for _, c := range cases {
		files, err := scan(fstest.MapFS{c.file: goFile("sort", c.imported)})
		if err != nil {
			t.Fatal(err)
		}
		lines := checkSources(files)
		switch {
		case c.want == "" && len(lines) > 0:
			t.Errorf("%s imports %s: got %q, want nothing", c.file, c.imported, lines)
		case c.want != "" && (len(lines) != 1 || !strings.Contains(lines[0], c.want)):
			t.Errorf("%s imports %s: got %q, want one line with %q", c.file, c.imported, lines, c.want)
		}
	}
}

func TestScanSeesEveryConstraint(t *testing.T) {
	files, err := scan(fstest.MapFS{
		"fluid/step_arm64.go":       goFile("C"),
		"fluid/check.go":            {Data: []byte("//go:build ignore\n\npackage p\n\nimport \"C\"\n")},
		"fluid/testdata/made-up.go": goFile("C"),
		"fluid/_old/old.go":         goFile("C"),
		"out/pool/main.go":          goFile("C"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if lines := checkSources(files); len(lines) != 2 {
		t.Errorf("got %q, want one line for each of the first two files", lines)
	}
}

func TestRulesFindWhatRoundsOtherwise(t *testing.T) {
	const vectors = "import \"gonum.org/v1/gonum/spatial/r3\"\n"
	cases := []struct {
		file, text string
		want       string // part of the line; "" where the use is allowed
	}{
		{"fluid/step.go", "import \"math\"\nvar x = math.Sqrt(2) + math.Sqrt2", ""},
		{"fluid/step.go", "import \"math\"\nvar x = math.Sin(2)", "math.Sin,"},
		{"fluid/step.go", "import \"math\"\nvar f = []any{math.Hypot, math.Hypot}", "math.Hypot,"},
		{"fluid/step.go", "import m \"math\"\nvar x = m.Pow(2, 3)", "math.Pow,"},
		{"fluid/step.go", "import . \"math\"\nvar x = Pow(2, 3)", "math.*,"},
		{"fluid/step.go", "import \"math/bits\"\nvar x = bits.Len(2)", ""},
		{"fluid/step.go", vectors + "func f(a, b r3.Vec) r3.Vec { return r3.Add(a, b) }", ""},
		{"fluid/step.go", vectors + "func f(a r3.Vec) r3.Vec { return r3.Add(a, r3.Scale(2, a)) }", "r3.Scale,"},
		{"fluid/step.go", "import \"gonum.org/v1/gonum/num/quat\"\nfunc f(a quat.Number) any { return quat.Mul(a, a) }", "quat.Mul,"},
		{"fluid/step_arm64.go", vectors + "func f(a r3.Vec) any { return r3.Norm(a) }", "r3.Norm,"},
		{"fluid/reproducible/vec.go", vectors + "func f(a r3.Vec) any { return r3.Dot(a, a) }", "r3.Dot,"},
		{"fluid/fluidtest/bodies.go", vectors + "func f(a r3.Vec) any { return r3.Cross(a, a) }", "r3.Cross,"},
		{"fluid/step_test.go", vectors + "func f(a r3.Vec) any { return r3.Norm(a) }", ""},
		{"fluid/internal/gen/layout/sample.go", "import \"math\"\nvar x = math.Sin(2)", ""},
		{"physics/joint.go", "import \"math\"\nvar x = math.Remainder(2, 1)", ""},
		{"physics/joint.go", "import \"math\"\nvar x = math.Atan2(2, 1)", "math.Atan2,"},
		{"physics/joint.go", vectors + "func f(a, b r3.Vec) any { return r3.Dot(a, b) }", "r3.Dot,"},
		{"physics/joint.go", "import \"gonum.org/v1/gonum/num/quat\"\nfunc f(a quat.Number) any { return quat.Abs(a) }", "quat.Abs,"},
		{"scene/liquid.go", "import \"math\"\nvar x = math.Sin(2)", ""},
	}
	for _, c := range cases {
		files, err := scan(fstest.MapFS{c.file: {Data: []byte("package p\n" + c.text)}})
		if err != nil {
			t.Fatal(err)
		}
		lines := checkUses(files)
		if c.want == "" && len(lines) > 0 || c.want != "" && (len(lines) != 1 || !strings.Contains(lines[0], c.want)) {
			t.Errorf("%s with %q: got %q, want a line with %q", c.file, c.text, lines, c.want)
		}
	}
}

func TestRulesFindRequires(t *testing.T) {
	const gomod = `module example.com/m

go 1.26

require gonum.org/v1/gonum v0.17.0

require github.com/stretchr/testify v1.9.0 // wanted

require (
	github.com/g3n/engine v0.2.0 // pinned
	pgregory.net/rapid v1.2.0
	golang.org/x/exp v0.1.0
	golang.org/x/image v0.25.0 // indirect
)
`
	lines := checkRequires(gomod)
	if len(lines) != 2 || !strings.Contains(lines[0], "testify") || !strings.Contains(lines[1], "x/exp") {
		t.Errorf("got %q, want a line for testify and one for x/exp", lines)
	}
}

func TestRulesFindRootEntries(t *testing.T) {
	entries, err := fs.ReadDir(fstest.MapFS{
		".ci/run":        {},
		".gitignore":     {},
		"README.md":      {},
		"fluid/step.go":  {},
		"fluid.test":     {},
		"out/report":     {},
		"docs/plan.md":   {},
		"notes.txt":      {},
		"internal/x.txt": {},
	}, ".")
	if err != nil {
		t.Fatal(err)
	}
	lines := checkRoot(entries)
	if len(lines) != 3 {
		t.Errorf("got %q, want a line each for docs, internal and notes.txt", lines)
	}
}
