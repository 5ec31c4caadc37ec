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
	at       [maxLightMaps * 20]float32
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
			copy(l.at[m.row*20:], m.values(liquid.shared))
			edge, _ := lightEdge(f)
			l.maps = math32.Vector3{X: float32(m.row + 1), Y: float32(edge)}
		}
	}
	return l
}

// values lays the map out as LightAt.
func (m *lightMap) values(sh *shared) []float32 {
	const around = .1 // m, to what the liquid touches
	b, medium := &sh.box, sh.look.medium()
	mirrored := float32(0)
	if m.fronts[1].used {
		mirrored = 1
	}
	v := append(m.laidOut[:0], m.fronts[0].area[:]...)
	v = append(v, m.fronts[1].area[:]...)
	v = append(v, b[0]-around, b[2]-around, b[3]+around, b[5]+around)
	v = append(v, b[1]-lightUnder, b[4]+around, m.level, mirrored)
	v = append(v, medium[0]+medium[6], medium[1]+medium[6], medium[2]+medium[6], 0)
	m.laidOut = v
	return v
}

// lend sets the uniforms of the program in use.
func (l *lightUniforms) lend(gs *gls.GLS, u *uniformSet) {
	u.integer(gs, "LightMap", unitLight)
	u.mat4(gs, "WorldFromView", &l.fromView)
	u.vec3(gs, "SunView", l.sunView)
	u.vec3(gs, "LightMaps", l.maps)
	u.vec4s(gs, "LightAt", l.at[:])
}
