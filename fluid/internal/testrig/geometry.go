package testrig

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/physics"
)

// Between returns the box between two corners.
func Between(x0, y0, z0, x1, y1, z1 float64) r3.Box {
	return r3.Box{Min: r3.Vec{X: x0, Y: y0, Z: z0}, Max: r3.Vec{X: x1, Y: y1, Z: z1}}
}

// About wants a volume within .1 %.
func About(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-3*want {
		t.Errorf("%s: %.3f l; want %.3f", what, got, want)
	}
}

// MeshOf is the triangles of boxes, those of the ones that are cut out the other way round.
func MeshOf(solids ...r3.Box) (def physics.MeshDef) {
	for k, b := range solids {
		first := int32(len(def.Vertices))
		for c := range 8 {
			def.Vertices = append(def.Vertices, boxes.Corner(&b, c))
		}
		for _, q := range [6][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
			for _, t := range [2][3]int32{{q[0], q[1], q[2]}, {q[0], q[2], q[3]}} {
				if k > 0 {
					t[1], t[2] = t[2], t[1]
				}
				def.Triangles = append(def.Triangles, [3]int32{first + t[0], first + t[1], first + t[2]})
			}
		}
	}
	return def
}

// Triangles are corners, m.
type Triangles [][3]r3.Vec

// TrianglesOf returns the triangles of a surface.
func TrianglesOf(s *fluid.Surface) (tris Triangles) {
	for i := 0; i < len(s.Indices); i += 3 {
		var tri [3]r3.Vec
		for k := range tri {
			p := s.Positions[3*s.Indices[i+k]:][:3]
			tri[k] = r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
		}
		tris = append(tris, tri)
	}
	return tris
}

// Moments are the volume that triangles enclose, m³, and its first moment, m⁴.
func (tris Triangles) Moments() (volume float64, moment r3.Vec) {
	for _, c := range tris {
		v := r3.Dot(c[0], r3.Cross(c[1], c[2])) / 6
		volume, moment = volume+v, r3.Add(moment, r3.Scale(v/4, r3.Add(c[0], r3.Add(c[1], c[2]))))
	}
	return volume, moment
}

// Meet is how far along a ray the first triangle is, infinite if there is none, and that one's normal.
func (tris Triangles) Meet(r fluid.Ray) (first float64, normal r3.Vec) {
	first = math.Inf(1)
	for i := range tris {
		c := &tris[i]
		e, f := r3.Sub(c[1], c[0]), r3.Sub(c[2], c[0])
		p := r3.Cross(r.Dir, f)
		det := r3.Dot(e, p)
		if det == 0 {
			continue
		}
		s := r3.Sub(r.From, c[0])
		u := r3.Dot(s, p) / det
		if u < 0 || u > 1 {
			continue
		}
		q := r3.Cross(s, e)
		if v := r3.Dot(r.Dir, q) / det; v < 0 || u+v > 1 {
			continue
		}
		if d := r3.Dot(f, q) / det; d >= 0 && d < first {
			first, normal = d, r3.Unit(r3.Cross(e, f))
		}
	}
	return first, normal
}

// ReadOBJ reads the v and f lines of an OBJ file, polygons as fans.
func ReadOBJ(t testing.TB, name string) (vs []r3.Vec, tris [][3]int32) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "data", name))
	if err != nil {
		t.Skip("no test models here: ", err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		w := strings.Fields(sc.Text())
		switch {
		case len(w) == 4 && w[0] == "v":
			var c [3]float64
			for k := range c {
				if c[k], err = strconv.ParseFloat(w[k+1], 64); err != nil {
					t.Fatal(err)
				}
			}
			vs = append(vs, r3.Vec{X: c[0], Y: c[1], Z: c[2]})
		case len(w) >= 4 && w[0] == "f":
			idx := make([]int32, len(w)-1)
			for k := range idx {
				head, _, _ := strings.Cut(w[k+1], "/")
				n, err := strconv.Atoi(head)
				if err != nil {
					t.Fatal(err)
				}
				idx[k] = int32(n - 1)
			}
			for k := 2; k < len(idx); k++ {
				tris = append(tris, [3]int32{idx[0], idx[k-1], idx[k]})
			}
		}
	}
	return vs, tris
}

// Icosphere is geom.Icosphere.
func Icosphere(n int) (vs []r3.Vec, tris [][3]int32) { return geom.Icosphere(n) }

// EvalAt returns the signed distance at a point, m.
func EvalAt(s fluid.SDF, p r3.Vec) float64 {
	var dst [1]float32
	s.Eval(dst[:], []r3.Vec{p})
	return float64(dst[0])
}

// Vec returns the vector of three components.
func Vec(x, y, z float64) r3.Vec { return r3.Vec{X: x, Y: y, Z: z} }

// UnitBox returns the box from -1 to 1 along each axis.
func UnitBox() r3.Box { return r3.Box{Min: Vec(-1, -1, -1), Max: Vec(1, 1, 1)} }

// Standing is liquid under y = level + height cos(πx/length).
type Standing struct{ Level, Height, Length float64 }

func (s Standing) Eval(dst []float32, pts []r3.Vec) {
	k := math.Pi / s.Length
	for i, p := range pts {
		slope := s.Height * k * math.Sin(k*p.X)
		dst[i] = float32((p.Y - s.Level - s.Height*math.Cos(k*p.X)) / math.Sqrt(1+slope*slope))
	}
}

func (s Standing) Bounds() r3.Box {
	i := math.Inf(1)
	return r3.Box{Min: r3.Vec{X: -i, Y: -i, Z: -i}, Max: r3.Vec{X: i, Y: s.Level + s.Height, Z: i}}
}

// Period is that of the wave by linear theory, s.
func (s Standing) Period() float64 {
	k := math.Pi / s.Length
	return 2 * math.Pi / math.Sqrt(9.81*k*math.Tanh(k*s.Level))
}

// Rise is how high the liquid stands above its level at its low end, m.
func (s Standing) Rise(l *fluid.Liquid) float64 {
	var at [1]fluid.Sample
	l.Sample(at[:], []r3.Vec{{X: .01 * s.Length, Y: s.Level / 2, Z: l.Def().Domain.Max.Z / 2}})
	return at[0].Height - s.Level/2
}

// Tank returns a tank with the standing wave, so many cells along it.
func (s Standing) Tank(t *testing.T, cells float64, undamped bool) *fluid.Liquid {
	t.Helper()
	h := s.Length / cells
	l := New(t, fluid.Def{Domain: Box(s.Length, 2*s.Level, 8*h), CellSize: h, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-6, Undamped: undamped}})
	Must(t, l.Fill(s))
	return l
}

// Swings is the mean period of the wave, s, by when the liquid at its low end passes its level, over some of them.
func (s Standing) Swings(l *fluid.Liquid, dt float64, periods int) float64 {
	var crossings []float64
	last := s.Rise(l)
	for n := 1; len(crossings) < 2*periods+1 && float64(n)*dt < 3*float64(periods)*s.Period(); n++ {
		l.Step(dt)
		now := s.Rise(l)
		if now*last < 0 {
			crossings = append(crossings, dt*(float64(n-1)+last/(last-now)))
		}
		last = now
	}
	if len(crossings) < 2*periods+1 {
		return math.NaN()
	}
	return (crossings[2*periods] - crossings[0]) / float64(periods)
}

// Bowl is a solid with a round hole along y.
type Bowl struct{ Radius, Floor float64 }

func (b Bowl) Eval(dst []float32, pts []r3.Vec) {
	for i, p := range pts {
		dst[i] = float32(max(min(p.Y-b.Floor, b.Radius-math.Hypot(p.X, p.Z)), p.Y-1))
	}
}

func (b Bowl) Bounds() r3.Box {
	return r3.Box{Min: r3.Vec{X: -.8, Y: -1, Z: -.8}, Max: r3.Vec{X: .8, Y: 1, Z: .8}}
}
