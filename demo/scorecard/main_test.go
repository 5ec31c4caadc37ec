package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestBadFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-only V99", `no test "V99"`}, {"stray", `unexpected argument "stray"`}, {"-nonsense", "not defined"}, {"-only V7,", `no test ""`},
		{"-tracker ink", `no tracker "ink"`}, {"-cells hexagons", `no cells "hexagons"`}, {"-tracker mesh -only V1", `no test "V1"`},
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(c.args), &out, &errs); code != 2 {
			t.Errorf("%s: exit code %d, want 2", c.args, code)
		}
		if s := errs.String(); !strings.Contains(s, c.want) || !strings.Contains(s, "usage") || strings.Count(s, "\n") != 1 || out.Len() > 0 {
			t.Errorf("%s: %q and %q; want one line that says %q", c.args, s, out.String(), c.want)
		}
	}
}

func TestRowsAsJSON(t *testing.T) {
	var out, errs bytes.Buffer
	code := run([]string{"-json", "-only", "V7"}, &out, &errs)
	var rows []map[string]any
	if err := json.Unmarshal(out.Bytes(), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) == 0 {
		t.Fatal("no rows")
	}
	all := true
	for _, r := range rows {
		for _, key := range []string{"id", "name", "measured", "reference", "tolerance", "unit", "pass"} {
			if _, ok := r[key]; !ok {
				t.Errorf("a row has no %q: %v", key, r)
			}
		}
		if r["id"] != "V7" {
			t.Errorf("row of %v", r["id"])
		}
		all = all && r["pass"] == true
	}
	if all != (code == 0) {
		t.Errorf("exit code %d, all pass: %v", code, all)
	}
}

func TestTableNamesEveryRow(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"-only", "V16", "-cells", "cubes"}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	if s := out.String(); !strings.HasPrefix(s, "id") || !strings.Contains(s, "V16") {
		t.Errorf("%q", s)
	}
	if !strings.Contains(errs.String(), "1/1") {
		t.Errorf("no progress: %q", errs.String())
	}
}
