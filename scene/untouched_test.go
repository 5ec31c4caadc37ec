package scene

import (
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/math32"
)

// What is under a node is marked, whatever it hangs on, and what shares its material is not.
func TestUntouched(t *testing.T) {
	paint := NewPaint(math32.Color{R: 1}, 0)
	top, mid, other := core.NewNode(), graphic.NewMesh(geometry.NewCube(1), paint), graphic.NewMesh(geometry.NewCube(1), paint)
	low := graphic.NewMesh(geometry.NewCube(1), paint)
	top.Add(mid)
	mid.Add(low)
	Untouched(top)
	for _, c := range []struct {
		mesh *graphic.Mesh
		want bool
	}{{mid, true}, {low, true}, {other, false}} {
		if _, is := c.mesh.ShaderDefines[plainDefine]; is != c.want {
			t.Errorf("marked: %v, want %v", is, c.want)
		}
	}
	if len(paint.ShaderDefines) > 0 {
		t.Error("the material is marked too")
	}
}
