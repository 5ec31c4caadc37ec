package adapter

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

const cubeOBJ = `# every face has its own corners, as exporters write them
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
v 0 0 0
f 4 3 2 9
f 5 6 7 8
f 1/1/1 2/1/1 6/1/1 5/1/1
f -8 -7 -3 -4
f 3 4 8 7
f 4 1 5 8
`

func TestReadMeshWelds(t *testing.T) {
	v, tri, err := ReadMesh(strings.NewReader(cubeOBJ))
	if err != nil || len(v) != 8 || len(tri) != 12 {
		t.Fatalf("%d vertices, %d triangles, %v; want 8, 12", len(v), len(tri), err)
	}
	volume := 0.0
	edges := map[[2]int32]int{}
	for _, f := range tri {
		volume += r3.Dot(v[f[0]], r3.Cross(v[f[1]], v[f[2]])) / 6
		for k := range f {
			edges[[2]int32{f[k], f[(k+1)%3]}]++
		}
	}
	if math.Abs(volume-1) > 1e-9 {
		t.Errorf("volume %v, want 1", volume)
	}
	for e, n := range edges {
		if n != 1 || edges[[2]int32{e[1], e[0]}] != 1 {
			t.Errorf("edge %v is not shared by two triangles", e)
		}
	}
}

// Lines go on after a backslash; comments, tabs and carriage returns don't matter, and a face may name vertices that follow it.
func TestReadMeshForms(t *testing.T) {
	for _, text := range []string{
		"v 0 0 0\nv 1 0 0 # two\nv 0 1 0 1.0\nf 1 2 3\n", "v 0 0 0\r\n\tv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
		"f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0", "v 0 0 0\nv 1 0 0\nv 0 \\\n1 0\nf 1\\\n2 \\\n3\\", "v 0 0 0\nv 1 0 0\nv 0 1e0 0\nf 1//1 2/2 -1/3/4\ncurv 1 2\nusemtl x\n",
	} {
		v, tri, err := ReadMesh(strings.NewReader(text))
		if err != nil || len(v) != 3 || len(tri) != 1 || v[1] != (r3.Vec{X: 1}) {
			t.Errorf("%q: %v, %v, %v", text, v, tri, err)
		}
	}
	_, _, err := ReadMesh(strings.NewReader("v 0 0 0\n\nv 1 b 0\n"))
	if err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("%v; want an error of line 3", err)
	}
	if _, _, err := ReadMesh(strings.NewReader(strings.Repeat("\\\n", 1<<20))); err == nil {
		t.Error("a million lines that go on: no error")
	}
}

func TestReadMeshErrors(t *testing.T) {
	for _, text := range []string{
		"", "v 0 0 0\n", "f 1 2 3\n", "v 0 0 0\nf 1 1 1\n", "v a b c\n", "v 0 0\n", "f 1 2\n", "f 0 1 2\n",
		"v NaN 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "v Inf 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -9\n", "o\n", "usemtl\n", "s\n", "mtllib\n",
	} {
		if _, _, err := ReadMesh(strings.NewReader(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
	if _, _, err := LoadMesh(filepath.Join(t.TempDir(), "none.obj")); err == nil {
		t.Error("a missing file: no error")
	}
}

func TestLoadMeshPublicModels(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/*.obj")
	if len(files) == 0 {
		t.Skip("no ../shared/data beside the module")
	}
	for _, f := range files {
		v, tri, err := LoadMesh(f)
		if err != nil || len(v) < 100 || len(tri) < 100 {
			t.Errorf("%s: %d vertices, %d triangles, %v", f, len(v), len(tri), err)
		}
	}
}

func FuzzLoadMesh(f *testing.F) {
	f.Add([]byte(cubeOBJ))
	f.Add([]byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1// 2// 3//\n"))
	f.Add([]byte("usemtl a\nf 1 2 -3\ng\x00\n"))
	f.Add([]byte("v 1e39 0 0\nf -1 -1 -1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "m.obj")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		v, tri, err := LoadMesh(path)
		if (err == nil) != (len(tri) > 0) {
			t.Fatalf("%d triangles with error %v", len(tri), err)
		}
		for _, c := range tri {
			for _, i := range c {
				if i < 0 || int(i) >= len(v) {
					t.Fatalf("corner %d of %d vertices", i, len(v))
				}
			}
		}
	})
}
