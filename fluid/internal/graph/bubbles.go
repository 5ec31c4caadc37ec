package graph

// Bubble is air that liquid and solids enclose. One pressure acts on all that is around it, and the liquid around it keeps its volume.
type Bubble struct {
	Faces  []BubbleFace
	Bodies []BubbleBody
	Volume float64 // m³
	Small  bool    // the grid does not resolve it: it closes, if other air beside the liquid is open
	Inflow float64 // liquid that is to flow in, m³/s, less than 0 to flow out: what the surface has lost or gained there
	// Impulse is what the solve finds: the pressure above that of the open air, times the step, Pa·s. It is 0 where the bubble was left open.
	Impulse float64
}

// BubbleFace is a face that leads into a bubble. Share is the part of it that does, less than 0 where the bubble is on side A.
type BubbleFace struct {
	Face  int32
	Share float64
}

// BubbleBody is where a body meets a bubble: the area of its surface as a vector into it, m², and its moment about the centre of mass, m³.
type BubbleBody struct {
	Body int32
	K    [6]float64
}

// AddBubble appends a bubble without faces and reuses the memory of one that was there.
func (g *Graph) AddBubble() *Bubble {
	n := len(g.Bubbles)
	if n < cap(g.Bubbles) {
		g.Bubbles = g.Bubbles[:n+1]
	} else {
		g.Bubbles = append(g.Bubbles, Bubble{})
	}
	b := &g.Bubbles[n]
	*b = Bubble{Faces: b.Faces[:0], Bodies: b.Bodies[:0]}
	return b
}

// Meet adds a part of a body's surface.
func (b *Bubble) Meet(body int32, k *[6]float64) {
	last := len(b.Bodies) - 1
	if last < 0 || b.Bodies[last].Body != body {
		b.Bodies = append(b.Bodies, BubbleBody{Body: body})
		last++
	}
	for d, v := range k {
		b.Bodies[last].K[d] += v
	}
}
