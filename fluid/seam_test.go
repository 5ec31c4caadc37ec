package fluid

import "github.com/meniscus3d/meniscus/fluid/internal/adaptive"

// blocksOf is the blocks that a liquid is on, for tests that look behind the seam.
func blocksOf(l *Liquid) *adaptive.Blocks { return l.disc.(*adaptive.Blocks) }
