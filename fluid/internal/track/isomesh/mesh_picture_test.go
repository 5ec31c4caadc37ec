package isomesh

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// meshView is an orthographic camera for pictures that tests draw.
type meshView struct {
	right, up, towards [3]float64 // towards the camera
	centre             [3]float64
	scale              float64 // pixels per metre
	flat               bool    // shade by the triangles' own normals, which shows every kink
	width, height      int
}

// newMeshView looks at a point from a bearing and a height, in degrees; y is up.
func newMeshView(centre [3]float64, bearing, height, scale float64) meshView {
	b, h := bearing*math.Pi/180, height*math.Pi/180
	v := meshView{centre: centre, scale: scale, width: 1280, height: 720}
	v.towards = [3]float64{math.Cos(h) * math.Sin(b), math.Sin(h), math.Cos(h) * math.Cos(b)}
	v.right = [3]float64{math.Cos(b), 0, -math.Sin(b)}
	v.up = meshCross(v.towards, v.right)
	return v
}

// draw renders the mesh with a depth buffer and Lambert's shading. The backs of triangles are
// red, so that a hole or a wrong winding shows.
func (v meshView) draw(m *Mesh) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, v.width, v.height))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	depth := make([]float64, v.width*v.height)
	for i := range depth {
		depth[i] = math.Inf(-1)
	}
	for f := 0; f < len(m.Indices); f += 3 {
		v.triangle(m, img, depth, [3]uint32(m.Indices[f:]), f >= m.Free)
	}
	return img
}

func (v meshView) triangle(m *Mesh, img *image.RGBA, depth []float64, index [3]uint32, wall bool) {
	var p [3][3]float64 // pixels and depth
	var shade [3]float64
	var at [3][3]float64
	for c, i := range index {
		at[c] = m.position(i)
		d := meshSub(at[c], v.centre)
		p[c] = [3]float64{float64(v.width)/2 + v.scale*meshDot(d, v.right), float64(v.height)/2 - v.scale*meshDot(d, v.up), meshDot(d, v.towards)}
		n := m.Normals[3*i:]
		shade[c] = meshLight([3]float64{float64(n[0]), float64(n[1]), float64(n[2])})
	}
	face := meshCross(meshSub(at[1], at[0]), meshSub(at[2], at[0]))
	if v.flat {
		l := math.Sqrt(meshDot(face, face))
		s := meshLight([3]float64{face[0] / l, face[1] / l, face[2] / l})
		shade = [3]float64{s, s, s}
	}
	back := meshDot(face, v.towards) < 0
	area := (p[1][0]-p[0][0])*(p[2][1]-p[0][1]) - (p[1][1]-p[0][1])*(p[2][0]-p[0][0])
	if area == 0 {
		return
	}
	x0, x1 := int(min(p[0][0], p[1][0], p[2][0])), int(max(p[0][0], p[1][0], p[2][0]))+1
	y0, y1 := int(min(p[0][1], p[1][1], p[2][1])), int(max(p[0][1], p[1][1], p[2][1]))+1
	for y := max(y0, 0); y <= min(y1, v.height-1); y++ {
		for x := max(x0, 0); x <= min(x1, v.width-1); x++ {
			u := ((p[2][0]-p[1][0])*(float64(y)-p[1][1]) - (p[2][1]-p[1][1])*(float64(x)-p[1][0])) / area
			w := ((p[1][0]-p[0][0])*(float64(y)-p[0][1]) - (p[1][1]-p[0][1])*(float64(x)-p[0][0])) / area
			t := 1 - u - w
			z := u*p[0][2] + t*p[1][2] + w*p[2][2]
			if u < 0 || w < 0 || t < 0 || z <= depth[y*v.width+x] {
				continue
			}
			depth[y*v.width+x] = z
			img.SetRGBA(x, y, meshColour(u*shade[0]+t*shade[1]+w*shade[2], wall, back))
		}
	}
}

func meshLight(n [3]float64) float64 { return .25 + .75*max(0, .48*n[0]+.6*n[1]+.64*n[2]) }

func meshColour(s float64, wall, back bool) color.RGBA {
	c := uint8(255 * min(1, max(0, s)))
	switch {
	case back:
		return color.RGBA{255, 0, 0, 255}
	case wall:
		return color.RGBA{c / 2, c / 2, c, 255}
	}
	return color.RGBA{c, c, c, 255}
}

// save writes the picture to the folder MESH_PICTURES names, or to the test's own.
func (v meshView) save(t *testing.T, m *Mesh, name string) {
	dir := os.Getenv("MESH_PICTURES")
	if dir == "" {
		dir = t.TempDir()
	}
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, v.draw(m)); err != nil {
		t.Fatal(err)
	}
}

// From any side a closed mesh shows no backs and nothing through it.
func TestMeshPictures(t *testing.T) {
	g := meshMixed([3]int{6, 4, 6}, .1, 1, 3, 9)
	s := newMeshScene(t, g, 1, meshWaves)
	m := s.extract([3]float64{-1, 2, .5}, [3]float64{3.5, 5.1, 4.97})
	v := newMeshView([3]float64{1.3, 3, 2.7}, 30, 35, 170)
	v.save(t, m, "waves")
	reds := 0
	img := v.draw(m)
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i] == 255 && img.Pix[i+1] == 0 {
			reds++
		}
	}
	if reds > 20 { // pixels of waterline triangles on edge
		t.Errorf("%d pixels show the back of a triangle", reds)
	}
	v.flat = true
	v.save(t, m, "waves-flat")
	if testing.Short() || os.Getenv("MESH_PICTURES") == "" {
		return
	}
	v = newMeshView([3]float64{.4, 3.4, 1.5}, 30, 35, 500)
	v.save(t, m, "near")
	v.flat = true
	v.save(t, m, "near-flat")
	v = newMeshView([3]float64{3.5, 3.6, 4.9}, 45, 20, 600)
	v.save(t, m, "corner")
	s = newMeshScene(t, meshMixed([3]int{6, 6, 6}, .1, 1, 3, 3), 1, meshSphere([3]float64{1.37, 4.41, 2.93}, 2.03))
	m = s.extract(s.all())
	newMeshView([3]float64{1.37, 4.41, 2.93}, 20, 30, 160).save(t, m, "sphere")
}
