package scene

import (
	"math"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

const ownVertex = `
#include <attributes>
uniform mat4 MVP;
void main() { gl_Position = MVP * vec4(VertexPosition, 1.0); }
`

// ownMaterial is of a program of a game's own.
func ownMaterial(l *lab, name, fragment string, unique bool) *material.Material {
	l.rend.AddShader(name+".v", ownVertex)
	l.rend.AddShader(name+".f", fragment)
	l.rend.AddProgram(name, name+".v", name+".f")
	mat := material.NewMaterial()
	mat.SetShader(name)
	mat.SetShaderUnique(unique)
	return mat
}

// A game's own program that knows nothing of light shows the colour that it writes, in Draw as in the game's Render; one that names MENISCUS_LINEAR is
// told, and its light is shown as light. Where a name of it is that of a uniform of ours, it is drawn as it is.
func TestOwnPrograms(t *testing.T) {
	const (
		plain  = "out vec4 FragColor;\nvoid main() { FragColor = vec4(.5, .5, .5, 1); }\n"
		named  = "#define GREY .5\nlayout(location = 0) out highp vec4 shade;\nfloat linear(float x) { return x; }\nvec3 encode(vec3 c) { return c; }\nvoid main() { if (gl_FragCoord.x < 0.0) return; shade = vec4(encode(vec3(linear(GREY))), 1); }\n"
		aware  = "out vec4 FragColor;\nvoid main() {\n#ifdef MENISCUS_LINEAR\nFragColor = vec4(.18, .18, .18, 1);\n#else\nFragColor = vec4(.5, .5, .5, 1);\n#endif\n}\n"
		clash  = "uniform float FrontDepth;\nout vec4 FragColor;\nvoid main() { FragColor = vec4(vec3(.5 + 0.0 * FrontDepth), 1); }\n"
		noLine = "out vec4 FragColor;void main(void){FragColor=vec4(.5,.5,.5,1);}"
	)
	onGL(t, func(l *lab) {
		water := emptyLiquid(LiquidOptions{})
		defer water.Dispose()
		cam := view(64, 64, at(0, 0, 3), at(0, 0, 0))
		for _, c := range []struct {
			name, fragment string
			unique         bool
			want           float64 // in Draw
		}{
			{"own", plain, false, 127.5}, {"unique", plain, true, 127.5}, {"named", named, false, 127.5}, {"named_unique", named, true, 127.5},
			{"one_line", noLine, true, 127.5}, {"aware", aware, false, shownAs(.18)}, {"aware_unique", aware, true, shownAs(.18)},
			{"clash", clash, true, shownAs(.5)},
		} {
			root := core.NewNode()
			mat := ownMaterial(l, "test."+c.name, c.fragment, c.unique)
			root.Add(card(mat, 0))
			root.Add(light.NewAmbient(&math32.Color{R: 1, G: 1, B: 1}, 1))
			for i := range 3 { // with another number of lights each
				for how, w := range map[string]*Liquid{"Draw": water, "Render": nil} {
					want := 127.5
					if w != nil {
						want = c.want
					}
					got := float64(l.shoot(t, 64, 64, root, w, cam).RGBAAt(32, 32).G)
					if math.Abs(got-want) > 1 {
						t.Errorf("%s in %s, picture %d: %.0f is shown, want %.1f", c.name, how, i, got, want)
					}
				}
				if mat.Shader() != "test."+c.name || mat.ShaderUnique() != c.unique {
					t.Errorf("%s: Draw leaves the material with the program %s, unique %v", c.name, mat.Shader(), mat.ShaderUnique())
				}
				root.Add(light.NewAmbient(&math32.Color{R: 1, G: 1, B: 1}, 1))
			}
			root.Dispose()
		}
		// What stands before the water is left out of the picture behind it.
		still := NewLiquid(pool(0, 0, 0), LiquidOptions{Caustics: -1})
		defer still.Dispose()
		root := core.NewNode()
		defer root.Dispose()
		root.Add(NewSky(SkyOptions{}))
		root.Add(still)
		defer root.Remove(still)
		before := card(ownMaterial(l, "test.before", plain, true), 0)
		before.SetPosition(0, 2, 1)
		root.Add(before)
		l.shoot(t, 64, 36, root, still, view(64, 36, at(0, 3, 4), at(0, 2, 1)))
		v, w, _ := pixels(still, "behind")
		middle, grey := 4*((36/4+18)*w+w/2), math.Pow((.5+.055)/1.055, 2.4)
		if off := math.Hypot(float64(v[middle])-grey, float64(v[middle+2])-grey); off < .02 {
			t.Error("the picture behind the water shows what stands before it")
		}
	})
}
