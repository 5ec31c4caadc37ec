package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// checkNeutral returns one line for each file that reads what only a graph of cubes has, outside of graph, of cubes and of what is below them. Everyone
// else reads a graph of any cells. Tests may build one.
func checkNeutral(root fs.FS) (broken []string, err error) {
	err = fs.WalkDir(root, "fluid", func(name string, d fs.DirEntry, err error) error {
		dir := path.Dir(name)
		if err != nil || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || within(dir, "fluid/internal/graph") || within(dir, "fluid/internal/cubes") {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			return err
		}
		reads := slices.ContainsFunc(parsed.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"`+module+`/fluid/internal/graph"` })
		ast.Inspect(parsed, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && reads && s.Sel.Name == "Cubes" {
				broken = append(broken, fmt.Sprintf("%s reads Graph.Cubes: ask the graph's methods, which serve any cells", name))
				reads = false
			}
			return true
		})
		return nil
	})
	return broken, err
}

func TestGraphIsReadNeutrally(t *testing.T) {
	broken, err := checkNeutral(os.DirFS(moduleRoot(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range broken {
		t.Error(line)
	}
}

func TestNeutralRule(t *testing.T) {
	file := func(pkg string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("package " + pkg + "\nimport \"" + module + "/fluid/internal/graph\"\nfunc f(g *graph.Graph) int { return len(g.Cubes.Axis) }\n")}
	}
	broken, err := checkNeutral(fstest.MapFS{
		"fluid/internal/controls/faces.go":      file("controls"),
		"fluid/internal/cubes/cutting/faces.go": file("cutting"),
		"fluid/internal/graph/cubes.go":         file("graph"),
	})
	if err != nil || len(broken) != 1 || !strings.Contains(broken[0], "controls/faces.go") {
		t.Errorf("%q, %v", broken, err)
	}
}
