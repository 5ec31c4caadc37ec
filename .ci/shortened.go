// Shortened finds the tests of the module that a short run leaves out or cuts short: those that ask testing.Short, by way of whatever they use. A long run
// after a short one has nothing to learn from the others.
//
//	go run .ci/shortened.go tests       one regular expression for go test -run
//	go run .ci/shortened.go packages    their packages, one a line
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// declared is a function, a method, a variable or a constant at the top of a file, and what its text names.
type declared struct {
	use
	uses map[use]bool
	asks bool // testing.Short, or something that does
}

// use is a name that a package declares; after a dot it may be a method's, of each package that the file imports.
type use struct {
	pack, name string
	method     bool
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("shortened: ")
	if len(os.Args) != 2 || os.Args[1] != "tests" && os.Args[1] != "packages" {
		log.Fatal("say tests or packages")
	}
	all := read()
	spread(all)
	test := regexp.MustCompile("^(Test|Fuzz|Example)")
	var names, packs []string
	for _, d := range all {
		if d.asks && test.MatchString(d.name) && d.name != "TestMain" {
			names, packs = append(names, d.name), append(packs, d.pack)
		}
	}
	if len(names) == 0 {
		log.Fatal("no test asks testing.Short")
	}
	if os.Args[1] == "tests" {
		fmt.Printf("^(%s)$\n", strings.Join(unique(names), "|"))
	} else {
		fmt.Println(strings.Join(unique(packs), "\n"))
	}
}

func unique(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

// read parses the tests of all packages, and what is written for tests, whatever they are built for.
func read() (all []*declared) {
	list := exec.Command("go", "list", "-f", "{{.ImportPath}} {{.Dir}}", "./...")
	list.Env, list.Stderr = append(os.Environ(), "CGO_ENABLED=1"), os.Stderr
	out, err := list.Output()
	if err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		pack, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		entries, err := os.ReadDir(dir)
		if err != nil {
			log.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), path.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
			if err != nil {
				log.Fatal(err)
			}
			if imports := importsOf(f); strings.HasSuffix(e.Name(), "_test.go") || imports["testing"] != "" {
				all = append(all, declarations(pack, imports, f)...)
			}
		}
	}
	return all
}

// importsOf are the packages that a file imports, by the names that they have there.
func importsOf(f *ast.File) map[string]string {
	imports := map[string]string{}
	for _, i := range f.Imports {
		from, _ := strconv.Unquote(i.Path.Value)
		name := path.Base(from)
		if i.Name != nil {
			name = i.Name.Name
		}
		imports[name] = from
	}
	return imports
}

func declarations(pack string, imports map[string]string, f *ast.File) (all []*declared) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			all = append(all, &declared{use: use{pack, d.Name.Name, d.Recv != nil}, uses: uses(pack, imports, d)})
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					for _, n := range v.Names {
						all = append(all, &declared{use: use{pack, n.Name, false}, uses: uses(pack, imports, v)})
					}
				}
			}
		}
	}
	return all
}

func uses(pack string, imports map[string]string, n ast.Node) map[use]bool {
	all := map[use]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			all[use{pack, n.Name, false}] = true
		case *ast.SelectorExpr:
			x, _ := n.X.(*ast.Ident)
			if x != nil && imports[x.Name] != "" {
				all[use{imports[x.Name], n.Sel.Name, false}] = true
				return false
			}
			if x != nil && x.Name == "t" {
				return false // a testing.T
			}
			all[use{pack, n.Sel.Name, true}] = true
			for _, from := range imports {
				all[use{from, n.Sel.Name, true}] = true
			}
		}
		return true
	})
	return all
}

// spread marks what asks, and what names it, until nothing more does.
func spread(all []*declared) {
	asking := map[use]bool{{"testing", "Short", false}: true}
	for found := true; found; {
		found = false
		for _, d := range all {
			if d.asks {
				continue
			}
			for u := range d.uses {
				if asking[u] {
					d.asks, found = true, true
					asking[d.use] = true
					break
				}
			}
		}
	}
}
