package trimesh

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func nearly(a, b, part float64) bool { return math.Abs(a-b) <= part*math.Abs(b) }

// replaceVertex puts a vertex in the place of another one in some triangles, which keep their numbers.
func replaceVertex(m *Mesh, first, end int32, vertex, by int32) {
	for t := first; t < end; t++ {
		v := m.Triangle[t]
		for i := range v {
			if v[i] == vertex {
				v[i] = by
			}
		}
		if label := m.Label[t]; v != m.Triangle[t] {
			m.RemoveTriangle(t)
			m.AddTriangle(v[0], v[1], v[2], label)
		}
	}
}

// Shells in shells: each piece knows what encloses it, whatever the order.
func TestPiecesNest(t *testing.T) {
	sphere := func(r float64) soup { return icosphere(r3.Vec{}, r, 4) }
	var s soup
	s.add(sphere(.1), r3.Vec{X: .2}, false)                                      // 0: a drop in the bubble 3
	s.add(sphere(2), r3.Vec{}, false)                                            // 1: the outer piece
	s.add(sphere(.2), r3.Vec{X: -1, Y: .1}, true)                                // 2: a bubble in 1
	s.add(sphere(.8), r3.Vec{X: .3}, true)                                       // 3: a bubble in 1
	s.add(sphere(.1), r3.Vec{X: .6, Y: .01}, false)                              // 4: another drop in 3
	s.add(sphere(.05), r3.Vec{X: .2, Y: .01}, true)                              // 5: a bubble in 0
	s.add(sphere(1), r3.Vec{X: 4}, false)                                        // 6: apart
	s.add(sphere(1), r3.Vec{X: 7, Z: .001}, false)                               // 7: apart, where the ray of 6 meets it
	s.add(sphere(.5), r3.Vec{X: 7, Z: .001}, true)                               // 8: a bubble in 7
	s.add(dividedBox(r3.Vec{X: .2, Y: .2, Z: .2}, 0), r3.Vec{X: -1, Y: 1}, true) // 9: in 1, flat sides across the ray
	m := s.mesh(0)
	var p Pieces
	p.Begin(m)
	want := []int32{3, Gone, 1, 1, 3, 0, Gone, Gone, 7, 1}
	if len(p.Piece) != len(want) {
		t.Fatalf("%d pieces", len(p.Piece))
	}
	for i, w := range want {
		if p.Piece[i].Within != w {
			t.Errorf("piece %d is within %d, want %d", i, p.Piece[i].Within, w)
		}
	}
	unit := icosphere(r3.Vec{}, 1, 4)
	u := unit.mesh(0)
	volume := u.Volume(u.Position)
	if !nearly(p.Piece[1].Volume, 8*volume, 1e-13) || !nearly(p.Piece[3].Volume, -.512*volume, 1e-13) {
		t.Errorf("volumes %v and %v", p.Piece[1].Volume, p.Piece[3].Volume)
	}
	p.CavitiesFollow = true
	p.Begin(m)
	if got, want := p.Piece[1].Target, (8-.008-.512)*volume-.008; !nearly(got, want, 1e-12) || p.Piece[3].Target != 0 || p.Piece[3].Body != 1 || p.Piece[4].Body != 4 {
		t.Errorf("target with its cavities %v, want %v", got, want)
	}
}

// Where pieces merge their targets add up, and where one splits it is shared by the volumes.
func TestPiecesMergeAndSplit(t *testing.T) {
	var s soup
	box := dividedBox(r3.Vec{X: 1, Y: 1, Z: 1}, 0)
	s.add(box, r3.Vec{}, false).add(box, r3.Vec{X: 1}, false).add(dividedBox(r3.Vec{X: 1, Y: 1, Z: 2}, 0), r3.Vec{X: 5}, false)
	m := s.mesh(0)
	var p Pieces
	p.Begin(m)
	p.Piece[0].Target, p.Piece[1].Target, p.Piece[2].Target = 1.1, .8, 2
	// The two boxes come to share a vertex: of each the numbers are those of dividedBox.
	if m.Position[1] != m.Position[8] {
		t.Fatalf("the boxes do not meet: %v and %v", m.Position[1], m.Position[8])
	}
	replaceVertex(m, 12, 24, 8, 1)
	m.RemoveVertex(8)
	p.Follow(m)
	if len(p.Piece) != 2 || !nearly(p.Piece[0].Target, 1.9, 1e-14) || p.Piece[1].Target != 2 || len(p.Lost) != 0 {
		t.Fatalf("merged: %+v", p.Piece)
	}
	// They part again, and one is larger now.
	replaceVertex(m, 12, 24, 1, m.AddVertex(m.Position[1], m.Origin[1]))
	for v := range int32(8) {
		m.Move(v, r3.Vec{X: m.Position[v].X, Y: 2 * m.Position[v].Y, Z: m.Position[v].Z})
	}
	p.Follow(m)
	if len(p.Piece) != 3 || !nearly(p.Piece[0].Target, 1.9*2/3, 1e-13) || !nearly(p.Piece[1].Target, 1.9/3, 1e-13) || p.Piece[2].Target != 2 {
		t.Fatalf("split: %+v", p.Piece)
	}
	// The third piece vanishes; its volume goes to the nearest one. A fourth comes new.
	for t := int32(24); t < 36; t++ {
		m.RemoveTriangle(t)
	}
	n := int32(len(m.Position))
	for _, x := range box.position {
		m.AddVertex(r3.Add(x, r3.Vec{Z: 9}), Gone)
	}
	for _, v := range box.triangles {
		m.AddTriangle(v[0]+n, v[1]+n, v[2]+n, 0)
	}
	p.Follow(m)
	if len(p.Piece) != 3 || len(p.Lost) != 1 || p.Lost[0].Target != 2 || p.Lost[0].Middle.X != 5 || !nearly(p.Piece[2].Target, 1, 1e-13) {
		t.Fatalf("vanished: %+v, %+v", p.Piece, p.Lost)
	}
	p.Adopt(m)
	if !nearly(p.Piece[1].Target, 2+1.9/3, 1e-13) || len(p.Lost) != 0 {
		t.Errorf("adopted: %+v", p.Piece)
	}
}

// A bubble that is cut off, and one that vanishes: the volume between stays the piece's, with a bubble that keeps its volume and with one that follows.
func TestPiecesCavities(t *testing.T) {
	for _, follow := range []bool{false, true} {
		var s soup
		s.add(icosphere(r3.Vec{}, 1, 4), r3.Vec{}, false)
		m := s.mesh(0)
		p := Pieces{CavitiesFollow: follow}
		p.Begin(m)
		p.Piece[0].Target *= 1.01
		target := p.Piece[0].Target
		inner := icosphere(r3.Vec{}, .3, 2)
		n := int32(len(m.Position))
		for _, x := range inner.position {
			m.AddVertex(x, 0)
		}
		for _, v := range inner.triangles {
			m.AddTriangle(v[0]+n, v[2]+n, v[1]+n, 0)
		}
		p.Follow(m)
		sum := p.Piece[0].Target + p.Piece[1].Target
		if len(p.Piece) != 2 || !nearly(sum, target, 1e-13) || (p.Piece[1].Target == 0) != follow {
			t.Fatalf("follow %t: a bubble: %+v", follow, p.Piece)
		}
		if off := p.CorrectExactly(m, nil, .2); off > 1e-9 || !nearly(m.Volume(m.Target), target, 1e-9) {
			t.Errorf("follow %t: volume %v, want %v, %v off", follow, m.Volume(m.Target), target, off)
		}
		for k := range int32(len(m.Triangle)) {
			if m.Triangle[k][0] >= n {
				m.RemoveTriangle(k)
			}
		}
		p.Follow(m)
		p.Adopt(m)
		if len(p.Piece) != 1 || !nearly(p.Piece[0].Target, target, 1e-13) {
			t.Errorf("follow %t: without the bubble: %+v, want %v", follow, p.Piece, target)
		}
	}
}

// One damped step halves what is missing, to second order; the exact correction leaves a billionth at most. Vertices that are not free stay.
func TestPiecesCorrect(t *testing.T) {
	for _, masked := range []bool{false, true} {
		var s soup
		s.add(jolted(icosphere(r3.Vec{}, 1, 8), .02), r3.Vec{}, false).add(dividedBox(r3.Vec{X: 1, Y: 1, Z: .01}, 3), r3.Vec{X: 3}, false).add(torusAround(r3.Vec{}, 1, .2, 30, 10), r3.Vec{X: 6}, false)
		m := s.mesh(0)
		var p Pieces
		p.Begin(m)
		for i := range p.Piece {
			p.Piece[i].Target *= 1.01 - .01*float64(i)
		}
		p.Piece[1].Target *= 1.005
		var free []bool
		if masked {
			free = make([]bool, len(m.Position))
			for v, x := range m.Position {
				free[v] = x.Y > 0
			}
		}
		was := append([]r3.Vec(nil), m.Target...)
		p.Correct(m, free, .1)
		p.volumes.measure(&p, m, m.Target)
		for i, c := range p.Piece {
			if lack, left := c.Target-c.Volume, c.Target-p.volumes.sum[i]; math.Abs(left-lack/2) > .02*math.Abs(lack) {
				t.Errorf("piece %d: %v of %v is missing after a damped step", i, left, lack)
			}
		}
		if off := p.CorrectExactly(m, free, .1); off > 1e-9 {
			t.Errorf("off by %v", off)
		}
		p.volumes.measure(&p, m, m.Target)
		for i, c := range p.Piece {
			if !nearly(p.volumes.sum[i], c.Target, 1e-9) {
				t.Errorf("piece %d: volume %v, want %v", i, p.volumes.sum[i], c.Target)
			}
		}
		for v := range was {
			if masked && !free[v] && m.Target[v] != was[v] {
				t.Fatalf("vertex %d is not free, and moves", v)
			}
		}
		if n := testing.AllocsPerRun(3, func() { p.Follow(m); p.CorrectExactly(m, free, .1) }); n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
	// What the limit forbids is reported.
	box := dividedBox(r3.Vec{X: 1, Y: 1, Z: 1}, 1)
	m := box.mesh(0)
	var p Pieces
	p.Begin(m)
	p.Piece[0].Target = 2
	if off := p.CorrectExactly(m, nil, .01); off < .4 || p.Shift[0] != .01 {
		t.Errorf("off by %v, shift %v", off, p.Shift[0])
	}
}
