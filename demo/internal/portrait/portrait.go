// Package portrait draws meshes without a screen: no sky, no liquid, but shaded triangles, what is hidden behind them, and their edges if wanted.
package portrait

import (
	"cmp"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// View is how a mesh is seen, without perspective.
type View struct {
	Back   r3.Vec  // towards the eye; zero: a little from the right and from above
	Centre r3.Vec  // in the middle of the frame, m
	Scale  float64 // pixels per m
	Colour color.RGBA
	// Inner is the colour of triangles seen from behind, where a surface has a hole. Zero: Colour.
	Inner color.RGBA
	// Edges draws the triangles' edges in their faces: those that are hidden are not seen.
	Edges bool
}

// defaultBack is the direction that portraits are seen from.
var defaultBack = r3.Vec{X: .28, Y: .3, Z: 1}

// axes are those of the picture: to the right, up, and towards the eye.
func (v *View) axes() (side, up, back r3.Vec) {
	back = v.Back
	back = cmp.Or(back, defaultBack)
	back = r3.Unit(back)
	side = r3.Unit(r3.Cross(r3.Vec{Y: 1}, back))
	return side, r3.Cross(back, side), back
}

// painter draws one mesh into a frame.
type painter struct {
	img   *image.RGBA
	frame image.Rectangle
	view  *View
	seen  []r3.Vec    // of the vertices: pixels, and depth towards the eye, m
	lit   [][2]uint16 // how bright a vertex is from outside and from behind, of 65535
	depth []float64   // of the frame's pixels, m
}

// Draw draws a mesh into a frame. Triangles are counter-clockwise seen from outside.
func (v View) Draw(img *image.RGBA, frame image.Rectangle, positions []r3.Vec, triangles [][3]int32) {
	p := &painter{img: img, frame: frame.Intersect(img.Rect), view: &v}
	v.Inner = cmp.Or(v.Inner, v.Colour)
	side, up, back := v.axes()
	mid := frame.Min.Add(frame.Max).Div(2)
	p.seen = make([]r3.Vec, len(positions))
	for i, x := range positions {
		x = r3.Sub(x, v.Centre)
		p.seen[i] = r3.Vec{X: float64(mid.X) + v.Scale*r3.Dot(x, side), Y: float64(mid.Y) - v.Scale*r3.Dot(x, up), Z: r3.Dot(x, back)}
	}
	p.light(positions, triangles, r3.Unit(r3.Add(r3.Add(r3.Scale(-.6, side), r3.Scale(.65, up)), r3.Scale(.55, back))))
	p.depth = make([]float64, p.frame.Dx()*p.frame.Dy())
	for i := range p.depth {
		p.depth[i] = math.Inf(-1)
	}
	for _, t := range triangles {
		p.paint(t)
	}
}

// light finds how bright the vertices are, by the mean normal of their triangles.
func (p *painter) light(positions []r3.Vec, triangles [][3]int32, to r3.Vec) {
	normals := make([]r3.Vec, len(positions))
	for _, t := range triangles {
		n := r3.Cross(r3.Sub(positions[t[1]], positions[t[0]]), r3.Sub(positions[t[2]], positions[t[0]]))
		for _, v := range t {
			normals[v] = r3.Add(normals[v], n)
		}
	}
	p.lit = make([][2]uint16, len(normals))
	for i, n := range normals {
		facing := 0.
		if length := r3.Norm(n); length > 0 {
			facing = r3.Dot(n, to) / length
		}
		for s, f := range [2]float64{facing, -facing} {
			p.lit[i][s] = uint16(65535 * (.3 + .7*max(0, f)))
		}
	}
}

// paint draws what of a triangle is nearer than what was drawn before.
func (p *painter) paint(t [3]int32) {
	a, b, e := p.seen[t[0]], p.seen[t[1]], p.seen[t[2]]
	area := (b.X-a.X)*(e.Y-a.Y) - (b.Y-a.Y)*(e.X-a.X)
	if area == 0 {
		return
	}
	shade, c := 0, p.view.Colour
	if area > 0 { // rows go down: what is counter-clockwise has a negative area
		shade, c = 1, p.view.Inner
	}
	// Heights over the sides, pixels, tell how near an edge a pixel is.
	heights := [3]float64{math.Abs(area) / math.Hypot(e.X-b.X, e.Y-b.Y), math.Abs(area) / math.Hypot(e.X-a.X, e.Y-a.Y), math.Abs(area) / math.Hypot(b.X-a.X, b.Y-a.Y)}
	box := image.Rect(int(min(a.X, b.X, e.X)), int(min(a.Y, b.Y, e.Y)), int(max(a.X, b.X, e.X))+1, int(max(a.Y, b.Y, e.Y))+1).Intersect(p.frame)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			px, py := float64(x)+.5-a.X, float64(y)+.5-a.Y
			u := (px*(e.Y-a.Y) - py*(e.X-a.X)) / area
			v := ((b.X-a.X)*py - (b.Y-a.Y)*px) / area
			w := 1 - u - v
			if u < 0 || v < 0 || w < 0 {
				continue
			}
			near := &p.depth[(y-p.frame.Min.Y)*p.frame.Dx()+x-p.frame.Min.X]
			z := w*a.Z + u*b.Z + v*e.Z
			if z <= *near {
				continue
			}
			*near = z
			l := (w*float64(p.lit[t[0]][shade]) + u*float64(p.lit[t[1]][shade]) + v*float64(p.lit[t[2]][shade])) / 65535
			if p.view.Edges && min(w*heights[0], u*heights[1], v*heights[2]) < edgeWidth {
				l *= .45
			}
			p.img.SetRGBA(x, y, color.RGBA{uint8(l * float64(c.R)), uint8(l * float64(c.G)), uint8(l * float64(c.B)), 255})
		}
	}
}

// edgeWidth is half that of an edge, pixels, on its triangle's side.
const edgeWidth = .7
