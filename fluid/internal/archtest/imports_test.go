package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// moduleRoot returns the directory of go.mod, above that of this test.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Skip("no go.mod above the test: not run from a checkout")
		}
		dir = parent
	}
}

// scan reads the imports of every Go file, and what it uses of them, below the root, whatever its build constraints. Like
// the go command it passes over testdata and over names that begin with a dot or an underscore.
func scan(root fs.FS) ([]source, error) {
	var files []source
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		skip := p != "." && (name[0] == '.' || name[0] == '_')
		if d.IsDir() {
			if skip || name == "testdata" || p == "out" {
				return fs.SkipDir
			}
			return nil
		}
		if skip || path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(root, p)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), p, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		f := source{path: p}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			f.imports = append(f.imports, imported)
		}
		f.uses = uses(parsed, f.imports)
		files = append(files, f)
		return nil
	})
	return files, err
}

// uses lists what a file uses of the packages that it imports, each once; "*" for one whose names it takes as its own.
func uses(parsed *ast.File, imports []string) (found [][2]string) {
	of := map[string]string{}
	for i, spec := range parsed.Imports {
		if name := path.Base(imports[i]); spec.Name == nil {
			of[name] = imports[i]
		} else if spec.Name.Name == "." {
			found = append(found, [2]string{imports[i], "*"})
		} else {
			of[spec.Name.Name] = imports[i]
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && of[x.Name] != "" {
				if use := [2]string{of[x.Name], s.Sel.Name}; !slices.Contains(found, use) {
					found = append(found, use)
				}
			}
		}
		return true
	})
	return found
}

func TestExactArithmetic(t *testing.T) {
	files, err := scan(os.DirFS(moduleRoot(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range checkUses(files) {
		t.Error(line)
	}
}

func TestImports(t *testing.T) {
	files, err := scan(os.DirFS(moduleRoot(t)))
	if err != nil {
		t.Fatal(err)
	}
	const self = "fluid/internal/archtest/imports_test.go"
	seen := false
	for _, f := range files {
		seen = seen || f.path == self
	}
	if !seen {
		t.Fatalf("the scan of %d files did not come across %s", len(files), self)
	}
	for _, line := range checkSources(files) {
		t.Error(line)
	}
}

func TestRequires(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(moduleRoot(t), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), "module "+module+"\n") {
		t.Errorf("go.mod does not begin with module %s", module)
	}
	for _, line := range checkRequires(string(text)) {
		t.Error(line)
	}
}

// The demo on another engine requires that engine, this module and gonum.
func TestForeignRequires(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(moduleRoot(t), foreign, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, required := range directRequires(string(text)) {
		if required != module && required != "gonum.org/v1/gonum" && !within(required, foreignEngine) {
			t.Errorf("%s/go.mod requires %s: not among the modules that it depends on", foreign, required)
		}
	}
}

func TestRoot(t *testing.T) {
	entries, err := os.ReadDir(moduleRoot(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range checkRoot(entries) {
		t.Error(line)
	}
}
