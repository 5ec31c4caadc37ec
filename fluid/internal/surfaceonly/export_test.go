package surfaceonly

import "github.com/meniscus3d/meniscus/fluid/internal/boundary"

// Pieces are the pieces of liquid that there are.
func (s *Solver) Pieces() []boundary.Piece { return s.liquid.Pieces() }
