package archtest

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// longestReadme is how many lines the README may have.
const longestReadme = 100

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	fence    = regexp.MustCompile("(?ms)^```.*?^```$")
	entry    = regexp.MustCompile(`(?m)^\*\*D(\d+)\. `)
	proof    = regexp.MustCompile("Proof: ([^.]+)[.]")
	quoted   = regexp.MustCompile("`([^`]+)`")
	document = regexp.MustCompile(`[\w-]+\.md\b`)
	unanchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// pages lists the Markdown files of the module, with slashes from its root, those in .github among them.
func pages(t *testing.T, root fs.FS) (found []string) {
	t.Helper()
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (p == "out" || p == ".git" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if path.Ext(p) == ".md" {
			found = append(found, p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestPagesLinkToWhatIs checks that each relative link of a page leads to a file or folder of the module, and to a heading if it names one.
func TestPagesLinkToWhatIs(t *testing.T) {
	root := os.DirFS(moduleRoot(t))
	found := pages(t, root)
	if len(found) < 9 {
		t.Fatalf("only %d pages: %q", len(found), found)
	}
	for _, page := range found {
		for _, broken := range brokenLinks(root, page) {
			t.Errorf("%s: %s", page, broken)
		}
	}
}

// brokenLinks lists the relative links of a page that lead nowhere.
func brokenLinks(root fs.FS, page string) (broken []string) {
	text, err := fs.ReadFile(root, page)
	if err != nil {
		return []string{err.Error()}
	}
	for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
		if strings.Contains(m[1], "://") {
			continue
		}
		file, anchor, _ := strings.Cut(m[1], "#")
		at := page
		if file != "" {
			at = path.Join(path.Dir(page), file)
		}
		if _, err := fs.Stat(root, at); err != nil {
			broken = append(broken, m[1]+" leads to nothing")
		} else if anchor != "" && !hasHeading(root, at, anchor) {
			broken = append(broken, m[1]+" names no heading of "+at)
		}
	}
	return broken
}

// hasHeading tells whether a page has a heading that an anchor names, as GitHub makes anchors.
func hasHeading(root fs.FS, page, anchor string) bool {
	if s, err := fs.Stat(root, page); err == nil && s.IsDir() {
		page = path.Join(page, "README.md")
	}
	text, err := fs.ReadFile(root, page)
	if err != nil {
		return false
	}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
		if strings.ReplaceAll(unanchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-") == anchor {
			return true
		}
	}
	return false
}

// TestOnlyOwnPagesAreCited checks that sources and pages name no Markdown file that the module does not have.
func TestOnlyOwnPagesAreCited(t *testing.T) {
	root := os.DirFS(moduleRoot(t))
	own := map[string]bool{}
	for _, page := range pages(t, root) {
		own[path.Base(page)] = true
	}
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (p == "out" || p == ".git" || p == "fluid/internal/archtest"):
			return fs.SkipDir
		case !slices.Contains([]string{".go", ".md", ".glsl", ".yml"}, path.Ext(p)) && path.Base(p) != "Makefile":
			return nil
		}
		text, err := fs.ReadFile(root, p)
		if err != nil {
			return err
		}
		for _, cited := range document.FindAllString(string(text), -1) {
			if !own[cited] {
				t.Errorf("%s cites %s, which the module does not have", p, cited)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(moduleRoot(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > longestReadme {
		t.Errorf("README.md has %d lines; must be at most %d: what is more belongs on the pages that it links to", n, longestReadme)
	}
}

// TestArchitectureNamesEveryRoom checks that the page on how the liquid works names every package below fluid/internal.
func TestArchitectureNamesEveryRoom(t *testing.T) {
	root := moduleRoot(t)
	text, err := os.ReadFile(filepath.Join(root, "fluid", "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	rooms, err := os.ReadDir(filepath.Join(root, "fluid", "internal"))
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range rooms {
		if name := "fluid/internal/" + room.Name(); room.IsDir() && !regexp.MustCompile(name+`\b`).Match(text) {
			t.Errorf("fluid/ARCHITECTURE.md does not name %s", name)
		}
	}
}

// TestDivergencesAreProven checks that the entries of DIVERGENCES.md are numbered from 1 on, and that the tests that each names exist in the package
// named before them.
func TestDivergencesAreProven(t *testing.T) {
	root := moduleRoot(t)
	text, err := os.ReadFile(filepath.Join(root, "fluid", "DIVERGENCES.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range checkDivergences(string(text), testsIn(t, root)) {
		t.Error(line)
	}
}

// checkDivergences returns one line for each number out of order, and for each entry without a test that is in a package.
func checkDivergences(text string, tests func(dir string) string) (broken []string) {
	starts := entry.FindAllStringSubmatchIndex(text, -1)
	if len(starts) == 0 {
		return []string{"there are no entries"}
	}
	for i, at := range starts {
		number := text[at[2]:at[3]]
		if want := strconv.Itoa(i + 1); number != want {
			broken = append(broken, "D"+number+" stands where D"+want+" should")
		}
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		m := proof.FindStringSubmatch(text[at[0]:end])
		if m == nil {
			broken = append(broken, "D"+number+" names no test")
			continue
		}
		dir, named := "", false
		for _, q := range quoted.FindAllStringSubmatch(m[1], -1) {
			switch name := q[1]; {
			case !strings.HasPrefix(name, "Test"):
				dir = name
			case !strings.Contains(tests(dir), "\nfunc "+name+"("):
				broken = append(broken, "D"+number+": there is no "+name+" in "+dir)
			default:
				named = true
			}
		}
		if !named {
			broken = append(broken, "D"+number+" names no test that is there")
		}
	}
	return broken
}

// testsIn returns a function that reads the test files of a package, each once.
func testsIn(t *testing.T, root string) func(dir string) string {
	read := map[string]string{}
	return func(dir string) string {
		if text, ok := read[dir]; ok {
			return text
		}
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(text)
		}
		read[dir] = b.String()
		return read[dir]
	}
}
