package cutting

import "github.com/meniscus3d/meniscus/fluid/internal/graph"

type airSearch struct{ d *Discretiser }

func (s *airSearch) init(int)                 {}
func (s *airSearch) findBubbles(*graph.Graph) {}

type found struct{}
type extension struct{ d *Discretiser }
