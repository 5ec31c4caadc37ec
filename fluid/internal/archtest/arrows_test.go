package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// layered are the packages in which no part points back to the whole that has it.
var layered = []string{"fluid", "fluid/internal/fv", "fluid/internal/solver", "fluid/internal/cubes", "fluid/internal/layout"}

// structField is a field of a struct as far as arrows go.
type structField struct {
	name    string
	of      string // the struct of the same package that it is of, or is a list of
	pointer bool   // or whose address it is
}

// structsOf lists the fields of the structs of a package, tests aside, that are of structs of the same package. Structs without a name count as part of that
// which has them.
func structsOf(root fs.FS, dir string) (map[string][]structField, error) {
	entries, err := fs.ReadDir(root, dir)
	if err != nil {
		return nil, err
	}
	found := map[string][]structField{}
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		text, err := fs.ReadFile(root, path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), e.Name(), text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				found[spec.Name.Name] = appendFields(found[spec.Name.Name], spec.Type)
				return false
			}
			return true
		})
	}
	return found, nil
}

// appendFields appends the fields of a type, if it is a struct.
func appendFields(dst []structField, of ast.Expr) []structField {
	s, ok := of.(*ast.StructType)
	if !ok {
		return dst
	}
	for _, f := range s.Fields.List {
		of, pointer := f.Type, false
		name := "an embedded field"
		if len(f.Names) > 0 {
			name = f.Names[0].Name
		}
		for done := false; !done; {
			switch t := of.(type) {
			case *ast.StarExpr:
				of, pointer = t.X, true
			case *ast.ArrayType:
				of = t.Elt
			case *ast.MapType:
				of = t.Value
			case *ast.ParenExpr:
				of = t.X
			case *ast.IndexExpr:
				of = t.X
			default:
				done = true
			}
		}
		switch t := of.(type) {
		case *ast.StructType:
			dst = appendFields(dst, t)
		case *ast.Ident:
			dst = append(dst, structField{name, t.Name, pointer})
		}
	}
	return dst
}

// checkArrows returns one line for each field that points to what has the struct it is in, by value or through others that it has by value.
func checkArrows(root fs.FS, dir string) ([]string, error) {
	structs, err := structsOf(root, dir)
	if err != nil {
		return nil, err
	}
	var has func(owner, part string, seen map[string]bool) bool
	has = func(owner, part string, seen map[string]bool) bool {
		if seen[owner] {
			return false
		}
		seen[owner] = true
		return slices.ContainsFunc(structs[owner], func(f structField) bool {
			return !f.pointer && (f.of == part || has(f.of, part, seen))
		})
	}
	var broken []string
	for _, name := range slices.Sorted(maps.Keys(structs)) {
		for _, f := range structs[name] {
			if f.pointer && has(f.of, name, map[string]bool{}) {
				broken = append(broken, fmt.Sprintf("%s.%s.%s points back to %s, which has it", dir, name, f.name, f.of))
			}
		}
	}
	return broken, nil
}

func TestNoPartPointsToTheWhole(t *testing.T) {
	root := os.DirFS(moduleRoot(t))
	for _, dir := range layered {
		lines, err := checkArrows(root, dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			t.Errorf("%s: hand it what it needs, as an argument or in narrow fields", line)
		}
	}
}

// The checker must find each planted arrow, and nothing else.
func TestArrowsAreFound(t *testing.T) {
	cases := []struct{ text, want string }{
		{"type whole struct { part part }\ntype part struct { w *whole }", "p.part.w points back to whole"},
		{"type whole struct { middle middle }\ntype middle struct { part part }\ntype part struct { w *whole }", "p.part.w points back to whole"},
		{"type whole struct { parts []part }\ntype part struct { *whole }", "p.part.an embedded field points back to whole"},
		{"type whole struct { in struct { part part } }\ntype part struct { w *whole }", "p.part.w points back to whole"},
		{"type whole struct { part part }\ntype part struct { in struct { w []*whole } }", "p.part.w points back to whole"},
		{"type whole struct { part }\ntype part struct { w *whole }", "p.part.w points back to whole"},
		{"type whole struct { part part[int] }\ntype part[T any] struct { w *whole }", "p.part.w points back to whole"},
		{"type whole struct { part *part }\ntype part struct { w *whole }", ""},
		{"type whole struct { part part }\ntype part struct { n *other }\ntype other struct { n int }", ""},
		{"type node struct { next *node }", ""},
		{"type whole struct { part part }\ntype part struct { n int }\ntype user struct { w *whole }", ""},
	}
	for _, c := range cases {
		lines, err := checkArrows(fstest.MapFS{"p/a.go": {Data: []byte("package p\n" + c.text + "\n")}}, "p")
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" && len(lines) > 0 || c.want != "" && (len(lines) != 1 || !strings.Contains(lines[0], c.want)) {
			t.Errorf("%s: got %q, want a line with %q", c.text, lines, c.want)
		}
	}
}
