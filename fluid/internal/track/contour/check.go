package contour

import "fmt"

// Check returns an error if a node of the settled surface is in liquid for one of the tiles that have it, and in air for another: the mesh is open there.
func (c *Contour) Check() error { return c.old.seams.check() }

// check is Check of a layer.
func (s *seams) check() error {
	l := s.l
	for i := range l.active {
		t := &l.tiles[i]
		f, n := l.samples(t), t.n+1
		for r := range 27 {
			lo, hi := borderPart(t.n, r)
			for z := lo[2]; z < hi[2] && r != 13; z++ {
				for y := lo[1]; y < hi[1]; y++ {
					for x := lo[0]; x < hi[0]; x++ {
						if err := s.checkNode(t, r, [3]int32{x, y, z}, f[x+n*(y+n*z)] < 0); err != nil {
							return err
						}
					}
				}
			}
		}
	}
	return nil
}

// checkNode compares the side of a node on a part of a tile's border with that in what is beside it.
func (s *seams) checkNode(t *tile, r int, node [3]int32, liquid bool) error {
	d := partOffset(r)
	for k := 1; k < 8; k++ {
		o, shift := s.besidePart(t, d, k)
		if o == nil {
			continue
		}
		if at := o.sampleAt(t, node, shift); at >= 0 && (s.l.f[at] < 0) != liquid {
			return fmt.Errorf("contour: node %d of base cell %d, level %d, is in liquid: %t; of base cell %d, level %d, it is %g units away", node, t.base, t.level, liquid, o.base, o.level, s.l.f[at])
		}
	}
	return nil
}
