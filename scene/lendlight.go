package scene

import (
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
)

// lightUniforms are the uniforms of assets/shaders/lightmap.glsl and lamps.glsl.
type lightUniforms struct {
	fromView math32.Matrix4
	sunView  math32.Vector3
	maps     math32.Vector3
	at       [5 * maxLightMaps][4]float32
}

// lightUniforms are those of the maps that the frame has drawn.
func (f *frame) lightUniforms() *lightUniforms {
	l := &f.stage.lent
	if l.fromView.GetInverse(&f.view) != nil {
		l.fromView.Identity()
	}
	sun := f.stage.liquid.shared.sky.sun()
	to := math32.Vector4{X: sun.X, Y: sun.Y, Z: sun.Z}
	to.ApplyMatrix4(&f.view)
	l.sunView = math32.Vector3{X: to.X, Y: to.Y, Z: to.Z}
	l.maps = math32.Vector3{}
	clear(l.at[:]) // a liquid that shows nothing now has room too
	for _, liquid := range f.stage.found {
		if m := &liquid.shared.light; m.drawn {
			m.layOut((*[5][4]float32)(l.at[5*m.row:]), liquid.shared)
			edge, _ := lightEdge(f)
			l.maps = math32.Vector3{X: max(l.maps.X, float32(m.row+1)), Y: float32(edge)}
		}
	}
	return l
}

// layOut lays the map out as its part of LightAt.
func (m *lightMap) layOut(at *[5][4]float32, sh *shared) {
	const around = .1 // m, to what the liquid touches
	b, medium := &sh.box, sh.look.medium()
	*at = [5][4]float32{
		m.fronts[0].area, m.fronts[1].area,
		{b[0] - around, b[2] - around, b[3] + around, b[5] + around},
		{b[1] - lightUnder, b[4] + around, m.level, oneIf(m.fronts[1].used)},
		{medium[0] + medium[6], medium[1] + medium[6], medium[2] + medium[6]},
	}
}

// lend sets the uniforms of the program in use.
func (l *lightUniforms) lend(gs *gls.GLS, u *uniformSet) {
	u.integer(gs, "LightMap", unitLight)
	u.mat4(gs, "WorldFromView", &l.fromView)
	u.vec3(gs, "SunView", l.sunView)
	u.vec3(gs, "LightMaps", l.maps)
	u.vec4s(gs, "LightAt", l.at[:])
}
