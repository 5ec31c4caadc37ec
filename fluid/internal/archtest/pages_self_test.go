package archtest

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// The checkers of pages must find what is wrong, and nothing else.
func TestPagesFindBrokenLinks(t *testing.T) {
	root := fstest.MapFS{
		"README.md":      {Data: []byte("[a](demo/README.md) [b](demo#the-keys) [c](https://go.dev) [d](gone.md) [e](demo/README.md#no) [f](#top)\n\n# Top\n\n```\n[g](gone)\n```\n")},
		"demo/README.md": {Data: []byte("## The keys\n\n[up](../README.md)\n")},
	}
	got := brokenLinks(root, "README.md")
	if len(got) != 2 || !strings.HasPrefix(got[0], "gone.md ") || !strings.HasPrefix(got[1], "demo/README.md#no ") {
		t.Errorf("%q", got)
	}
	if got := brokenLinks(root, "demo/README.md"); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

func TestDivergencesFindWhatIsMissing(t *testing.T) {
	tests := func(dir string) string {
		return map[string]string{"fluid": "\nfunc TestA(t", "physics": "\nfunc TestB(t"}[dir]
	}
	for text, want := range map[string][]string{
		"": {"there are no entries"},
		"**D1. x** Proof: `fluid` `TestA`; `physics`\n`TestB`.\n**D2. y** Proof: `physics` `TestB`.\n": nil,
		"**D1. x** Proof: `fluid` `TestA`.\n**D3. y** Proof: `physics` `TestB`.\n":                     {"D3 stands where D2 should"},
		"**D1. x** It is so.\n":             {"D1 names no test"},
		"**D1. x** Proof: `fluid` `TestB`.": {"D1: there is no TestB in fluid", "D1 names no test that is there"},
	} {
		if got := checkDivergences(text, tests); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
