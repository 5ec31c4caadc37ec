package archtest

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const module = "github.com/meniscus3d/meniscus"

// leaves may be imported by fluid, by every stage and by each other. Of those that are no storage or service: boxes is geometry that
// r3 has only in part, geom that of triangles, rays, trees of boxes and sets, query is the shapes of points, rays and triangles that are asked for, shapes and meshsdf are what solids and edits are
// made of, which any stage may be asked to sample; walls tells by a solid's distance alone which traces pass it, for whatever moves liquid
// or measures cells; components is the book of what each piece of the liquid is to hold, whatever the discretisation; sleep says when liquid and
// bodies count as calm; droplets are the liquid that no grid holds, which any surface tracker adds to; rigid is the plain data of bodies, joints
// and solids that bodies, cutting and pressure hand to each other; callguard keeps the calls of a Liquid apart, whatever they do; ids names
// what a game has added; tracelabels tells traces and profiles which stage runs; raster is geometry of meshes on cubes, whatever the cubes are for;
// remedies chooses what of all that acts on a liquid a substep leaves out; warnings says which warnings are new; dense is arithmetic of small matrices;
// track declares what a surface tracker is, and has no surface itself; bcc is the geometry of a lattice of tetrahedra on a layout, stuffing that of tetrahedra that a distance field encloses on it;
// predicates, trimesh and ripples are exact geometry, and triangles that move or are made smooth, whatever they are the surface of.
var leaves = []string{
	"amg", "arrays", "bcc", "boxes", "callguard", "codec", "components", "dense", "droplets", "ripples", "geom", "graph", "layout", "hash", "ids", "tracelabels", "meshsdf", "par", "predicates", "query", "raster", "remedies", "rigid", "shapes", "sleep", "stuffing", "track", "trimesh", "walls", "warnings",
}

// gridless are packages that hold for any way to discretise a liquid: they know neither the grid nor its graph.
var gridless = []string{"callguard", "dense", "droplets", "capacity", "bem", "ripples", "geom", "ids", "tracelabels", "flows", "obstacles", "predicates", "raster", "remedies", "rigid", "sleep", "trimesh", "walls", "warnings", "waves", "whitewater", "wind"}

// stages may be imported by fluid alone, and import leaves only: what two of them share goes
// through the graph, or fluid carries it. fields is one since it accelerates the graph's faces, flows since it acts on the
// surface and the rows through interfaces that it declares; obstacles is one since what it knows of solids that
// are no bodies others are told by fluid alone; wind and capacity are, since fluid alone tells
// the surface of the wind, and what a domain may be before there is a grid; whitewater is, since it reads the liquid through an interface that it declares, and waves, since it changes the picture alone.
var stages = []string{"advect", "bem", "cutting", "bodies", "budget", "contour", "controls", "capacity", "fields", "flows", "forces", "hearing", "isomesh", "obstacles", "pressure", "sizing", "levelset", "mesh", "stuffed", "transport", "viscosity", "waves", "whitewater", "wind"}

// methods put stages together: cubes and tets into ways to discretise a liquid and to track its surface, fv into a solver for any such way, boundary into liquid without a grid and surfaceonly
// into a solver of that. fluid's chooser alone may import them, tets cubes, since it shares all that stands on the layout's blocks, and surfaceonly boundary.
var methods = []string{"boundary", "cubes", "fv", "surfaceonly", "tets"}

// contract declares what fluid asks of a solver, in terms of stages and leaves. fluid and solvers import it.
const contract = "solver"

// solvers move liquid: they fill what contract declares.
var solvers = []string{"fv", "surfaceonly"}

// behindSeam are the packages that know cells or the surface's φ. Of what ships in fluid itself chooser alone imports them, and fv imports layout,
// which part of space has which resolution, and no other.
var behindSeam = []string{"bcc", "cubes", "advect", "cutting", "contour", "forces", "isomesh", "layout", "levelset", "mesh", "stuffed", "stuffing", "tets", "track", "transport", "viscosity"}

// ofSolvers are the packages that only some solvers are made of. Of what ships in fluid itself chooser alone imports them, beside solvers and behindSeam.
var ofSolvers = []string{"amg", "graph", "pressure", "ripples", "sizing", "trimesh"}

const chooser = "fluid/methods.go"

// outside lists the modules that code which ships may import, and who may.
var outside = map[string][]string{
	"github.com/g3n/engine":      {"scene", "demo"},
	"github.com/go-gl/gl":        {"scene"},
	"github.com/kelindar/bitmap": {"fluid", "physics", "scene", "demo"},
	"golang.org/x/sys":           {"fluid", "physics"},
	"gonum.org/v1/gonum":         {"fluid", "physics", "scene", "demo"},
	"gonum.org/v1/plot":          {"demo"},
}

// outsideTests lists the modules that only tests may import.
var outsideTests = []string{"pgregory.net/rapid"}

// rootEntries may lie in the module's root, besides dot-files. What git ignores there (.gitignore) may too.
var (
	rootEntries = []string{
		"assets", "demo", "fluid", "physics", "scene",
		"CHANGELOG.md", "LICENSE", "Makefile", "README.md", "go.mod", "go.sum",
	}
	rootIgnored = []string{"out", "go.work", "go.work.sum", "*.test", "*.prof", "*.trace", "*.coverprofile"}
)

// source is one Go file as far as the rules see it.
type source struct {
	path    string // slash-separated, from the module's root
	imports []string
	uses    [][2]string // of packages: path and name
}

func (s source) dir() string  { return path.Dir(s.path) }
func (s source) test() bool   { return strings.HasSuffix(s.path, "_test.go") || s.dir() == rig }
func (s source) area() string { return first(s.dir()) }

// first returns the first element of a slash-separated path.
func first(p string) string {
	head, _, _ := strings.Cut(p, "/")
	return head
}

// within says whether p is root or lies below it.
func within(p, root string) bool {
	return p == root || strings.HasPrefix(p, root+"/")
}

// checkSources returns one line for each import, and for each package, that the rules forbid.
func checkSources(files []source) []string {
	var broken []string
	for _, f := range files {
		if reason := misplaced(f.dir()); reason != "" {
			broken = append(broken, fmt.Sprintf("%s: %s", f.path, reason))
			continue
		}
		for _, imported := range f.imports {
			if reason := forbidden(f, imported); reason != "" {
				broken = append(broken, fmt.Sprintf("%s imports %s: %s", f.path, imported, reason))
			}
		}
	}
	return broken
}

// companions see of fluid what a game sees: the tests of a game's own rigid-body engine, and what
// watches steps.
var companions = []string{"fluid/fluidtest", "fluid/fluidtrace"}

// arithmetic is what gives the same bits on every processor: fluid and physics are made with it, and a game may be. It imports
// nothing of the module. It is the one package that physics imports, since copies of its functions could drift apart in
// their last bits.
const arithmetic = "fluid/reproducible"

// bodies declares what liquids ask of a rigid-body engine. It imports nothing of the module; fluid, what is in it, and an engine's tests may.
const bodies = "fluid/engine"

// steering makes the moving surfaces that liquid is steered by: morphs, clips and their players. fluid imports it; it knows neither fluid nor how a
// liquid is discretised, so that a tool may run it alone, and imports arithmetic and leaves.
const steering = "fluid/control"

// hearing is what one hears of a liquid: plain data, and what makes it of plain facts. fluid imports it, and so do the rooms that gather those; it imports
// arithmetic alone.
const hearing = "fluid/sounds"

// neutral is what an adapter to any game engine needs, so it names none: it may import fluid, physics and gonum, is
// pure Go and is tested without a C compiler. fluid and physics don't know it, as they don't know scene.
const neutral = "scene/adapter"

// foreign is a demo on another engine, in a module of its own. It sees what a stranger's game sees, so that it shows what
// one can write: fluid, physics and neutral.
const foreign = "demo/raylib"

// foreignEngine may be imported there and nowhere else.
const foreignEngine = "github.com/gen2brain/raylib-go"

// generator writes the kernels in assembly of fluid and physics, in a module of its own. It is a tool: no package of the
// module imports it, and it imports none.
const generator = "fluid/internal/gen"

// assembler may be imported there and nowhere else.
const assembler = "github.com/mmcloughlin/avo"

// measuring runs the trackers by themselves, for the scorecard. It steers nothing, so that it may round as it likes.
const measuring = "fluid/tracktest"

// rig holds what tests of several packages share: it makes and checks liquids, and counts as a test itself.
const rig = "fluid/internal/testrig"

// exactly lists, by area, what it may use of some packages since that gives the same bits on every machine. Of their other functions, written in Go, the
// compiler fuses products and sums where the processor can, in a copy put in place of a call too.
var exactly = map[string]map[string][]string{
	"fluid": {
		"math": {
			"Abs", "Ceil", "Copysign", "FMA", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits", "Floor", "Frexp", "Inf", "IsInf", "IsNaN",
			"Ldexp", "Max", "Min", "Mod", "Modf", "NaN", "Nextafter", "Nextafter32", "Remainder", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc",
			"E", "Ln10", "Ln2", "Log10E", "Log2E", "Pi", "Sqrt2", "MaxFloat32", "MaxFloat64", "SmallestNonzeroFloat32", "SmallestNonzeroFloat64",
			"MaxInt", "MaxInt8", "MaxInt16", "MaxInt32", "MaxInt64", "MinInt", "MinInt8", "MinInt16", "MinInt32", "MinInt64",
			"MaxUint", "MaxUint8", "MaxUint16", "MaxUint32", "MaxUint64",
		},
		"gonum.org/v1/gonum/num/quat":   {"Number"},
		"gonum.org/v1/gonum/spatial/r3": {"Add", "Box", "Sub", "Vec"},
	},
	"physics": {
		"math": {
			"Abs", "Ceil", "Copysign", "FMA", "Float64bits", "Float64frombits", "Floor", "Frexp", "Inf", "IsInf", "IsNaN", "Ldexp", "Max", "Min", "Mod",
			"NaN", "Remainder", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc", "Ln2", "MaxFloat64", "Pi", "SmallestNonzeroFloat32",
		},
		"gonum.org/v1/gonum/num/quat":   {"Conj", "Number", "Sub"},
		"gonum.org/v1/gonum/spatial/r3": {"Add", "Box", "Sub", "Vec"},
	},
}

// checkUses returns one line for each use, in what ships of fluid and physics, of what may not give the same bits everywhere.
func checkUses(files []source) []string {
	var broken []string
	for _, f := range files {
		if f.test() || f.dir() == measuring || within(f.dir(), generator) {
			continue
		}
		for _, use := range f.uses {
			if allowed, ok := exactly[f.area()][use[0]]; ok && !slices.Contains(allowed, use[1]) {
				broken = append(broken, fmt.Sprintf("%s uses %s.%s, which rounds otherwise on other machines: see %s",
					f.path, path.Base(use[0]), use[1], arithmetic))
			}
		}
	}
	return broken
}

// misplaced says why no package may be in dir, or "".
func misplaced(dir string) string {
	if inner, ok := strings.CutPrefix(dir, "fluid/internal/"); ok {
		name := room(inner)
		if name == "archtest" || dir == rig || within(dir, generator) || slices.Contains(leaves, name) || slices.Contains(stages, name) || slices.Contains(methods, name) || name == contract {
			return ""
		}
		return "neither a leaf nor a stage nor a method: enter it in the lists of fluid/internal/archtest"
	}
	switch {
	case dir == "fluid", dir == arithmetic, dir == bodies, dir == steering, dir == hearing, dir == measuring, slices.Contains(companions, dir), within(dir, "physics"), within(dir, "scene"), within(dir, "assets"), strings.HasPrefix(dir, "demo/"):
		return ""
	}
	return "not in the package tree"
}

// forbidden says why f may not import the package, or "".
func forbidden(f source, imported string) string {
	if imported == "C" {
		if f.area() == "fluid" || f.area() == "physics" || within(f.dir(), neutral) {
			return "fluid, physics and scene/adapter are pure Go"
		}
		return ""
	}
	if imported == module {
		return "there is no package in the root"
	}
	if inner, ok := strings.CutPrefix(imported, module+"/"); ok {
		return forbiddenInside(f, inner)
	}
	if !strings.Contains(first(imported), ".") {
		return "" // the standard library
	}
	return forbiddenOutside(f, imported)
}

// forbiddenInside says why f may not import the package of this module in dir, or "".
//
// Tests of fluid and physics may reach any pure package, as an arrow that only a test has binds
// nobody who imports the package; but never one that needs cgo.
func forbiddenInside(f source, dir string) string {
	if within(f.dir(), generator) != within(dir, generator) {
		return "the kernels' generator is a program that stands alone"
	}
	from, to := f.area(), first(dir)
	pure := to == "fluid" || to == "physics"
	if dir == rig && !f.test() {
		return "only tests import " + rig
	}
	if f.test() && pure && (from == "fluid" || from == "physics") {
		return ""
	}
	switch from {
	case "assets":
		return "assets is data and imports nothing of the module"
	case "physics":
		if to != "physics" && dir != arithmetic {
			return "physics imports nothing of the module but " + arithmetic
		}
	case "scene":
		if to == "demo" {
			return "scene imports fluid, physics and assets"
		}
		if within(f.dir(), neutral) && dir != "fluid" && dir != "physics" && dir != arithmetic && dir != steering && dir != hearing && !within(dir, neutral) {
			return "what any engine's adapter needs imports fluid and physics"
		}
	case "demo":
		if within(f.dir(), foreign) && dir != "fluid" && dir != "physics" && dir != arithmetic && dir != neutral {
			return "a game on another engine imports fluid, physics and scene/adapter"
		}
		if to == "demo" && !within(dir, "demo/internal") && !sameDemo(f.dir(), dir) {
			return "what demos share is in demo/internal"
		}
	case "fluid":
		if to != "fluid" {
			return "fluid imports nothing of the module outside fluid/internal"
		}
		name := room(strings.TrimPrefix(dir, "fluid/internal/"))
		if (f.dir() == "fluid" && f.path != chooser || f.dir() == "fluid/internal/fv" && name != "layout") && slices.Contains(behindSeam, name) {
			return "the step asks what is behind the seam by its interfaces: only " + chooser + " names it"
		}
		if f.dir() == "fluid" && f.path != chooser && (slices.Contains(solvers, name) || slices.Contains(ofSolvers, name)) {
			return "fluid asks a solver by " + contract + ": only " + chooser + " names one, or what it is made of"
		}
		return forbiddenInFluid(f.dir(), dir)
	}
	return ""
}

// buildings are the folders below fluid/internal whose rooms have rules of their own.
var buildings = []string{"cubes", "layout", "tets", "track"}

// closed are the folders that only they themselves import from below.
var closed = []string{"fluid/internal/cubes", "fluid/internal/tets"}

// room returns the name by which the rules know a folder below fluid/internal.
func room(dir string) string {
	name, below, inner := strings.Cut(dir, "/")
	if inner && slices.Contains(buildings, name) {
		return first(below)
	}
	return name
}

// sameDemo says whether two packages below demo belong to one scenario.
func sameDemo(a, b string) bool {
	return first(strings.TrimPrefix(a, "demo/")) == first(strings.TrimPrefix(b, "demo/"))
}

// forbiddenInFluid says why the package in from may not import the one in to, both within fluid, or "".
func forbiddenInFluid(from, to string) string {
	companion := slices.Contains(companions, from)
	switch {
	case from == arithmetic:
		return arithmetic + " imports nothing of the module"
	case from == bodies:
		return bodies + " imports nothing of the module"
	case to == arithmetic, to == bodies:
		return ""
	case from == hearing:
		return hearing + " imports nothing of the module but " + arithmetic
	case to == hearing && (from == "fluid" || from == "fluid/internal/"+contract || from == "fluid/internal/flows" || from == "fluid/internal/hearing"):
		return ""
	case from == measuring && to != "fluid":
		return ""
	case to == measuring:
		return "nothing of fluid knows what measures it"
	}
	if from == "fluid" && !slices.Contains(companions, to) || companion && (to == "fluid" || to == steering) {
		return ""
	}
	if from == "fluid" || companion {
		return "fluidtest and fluidtrace see what a game sees, and fluid knows neither"
	}
	if from == "fluid/internal/controls" && to == steering { // it has liquid follow what that makes
		return ""
	}
	if from == steering {
		name := strings.TrimPrefix(to, "fluid/internal/")
		if slices.Contains(leaves, name) && name != "layout" && name != "graph" {
			return ""
		}
		return steering + " imports " + arithmetic + " and leaves that hold for any way to discretise a liquid"
	}
	if to == "fluid" {
		return "what is in fluid/internal does not know fluid"
	}
	for _, building := range closed {
		if strings.HasPrefix(to, building+"/") && !within(from, building) {
			return "nobody outside of " + building + " imports below it"
		}
	}
	importer := room(strings.TrimPrefix(from, "fluid/internal/"))
	name := room(strings.TrimPrefix(to, "fluid/internal/"))
	if slices.Contains(gridless, importer) && (name == "layout" || name == "graph") {
		return importer + " holds for any way to discretise a liquid"
	}
	if name == importer || slices.Contains(leaves, name) || (slices.Contains(methods, importer) || importer == contract) && slices.Contains(stages, name) {
		return ""
	}
	if name == contract && slices.Contains(solvers, importer) || importer == "tets" && name == "cubes" || importer == "surfaceonly" && name == "boundary" {
		return ""
	}
	if slices.Contains(leaves, importer) {
		return "a leaf imports leaves only"
	}
	return "a stage imports leaves, never another stage"
}

// forbiddenOutside says why f may not import a package of another module, or "".
func forbiddenOutside(f source, imported string) string {
	if within(imported, foreignEngine) {
		if within(f.dir(), foreign) {
			return ""
		}
		return "only " + foreign + " may import " + foreignEngine
	}
	if within(imported, assembler) {
		if within(f.dir(), generator) {
			return ""
		}
		return "only " + generator + " may import " + assembler
	}
	if within(imported, "github.com/g3n/engine") && (within(f.dir(), neutral) || within(f.dir(), foreign)) {
		return neutral + " and " + foreign + " know nothing of g3n"
	}
	for root, areas := range outside {
		if !within(imported, root) {
			continue
		}
		if slices.Contains(areas, f.area()) {
			return ""
		}
		return "only " + strings.Join(areas, ", ") + " may import " + root
	}
	for _, root := range outsideTests {
		if !within(imported, root) {
			continue
		}
		if f.test() {
			return ""
		}
		return root + " is for tests"
	}
	return "not among the modules this one depends on"
}

// checkRequires returns one line for each direct requirement of a go.mod that the rules do not name.
func checkRequires(gomod string) []string {
	var broken []string
	for _, required := range directRequires(gomod) {
		if _, ok := outside[required]; !ok && !slices.Contains(outsideTests, required) {
			broken = append(broken, "go.mod requires "+required+": not among the modules this one depends on")
		}
	}
	return broken
}

// directRequires returns the modules that a go.mod requires directly.
func directRequires(gomod string) (required []string) {
	block := false
	for line := range strings.Lines(gomod) {
		line, comment, _ := strings.Cut(strings.TrimSpace(line), "//")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 2 && fields[0] == "require" && fields[1] == "(":
			block = true
			continue
		case len(fields) == 1 && fields[0] == ")":
			block = false
			continue
		case len(fields) == 3 && fields[0] == "require":
			fields = fields[1:]
		case !block:
			continue
		}
		if len(fields) != 2 || strings.TrimSpace(comment) == "indirect" {
			continue
		}
		required = append(required, fields[0])
	}
	return required
}

// checkRoot returns one line for each entry of the module's root that the rules do not name.
func checkRoot(entries []fs.DirEntry) []string {
	var broken []string
	for _, e := range entries {
		name := e.Name()
		ignored := slices.ContainsFunc(rootIgnored, func(pattern string) bool {
			ok, _ := path.Match(pattern, name)
			return ok
		})
		if !ignored && !strings.HasPrefix(name, ".") && !slices.Contains(rootEntries, name) {
			broken = append(broken, name+": has no place in the module's root")
		}
	}
	return broken
}
