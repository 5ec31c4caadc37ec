// Package droplets has the liquid that the grid does not resolve: the spray that a surface tracker does not resolve, and the drops of emitters whose
// rate is too low for the grid. It does not depend on a grid or a tracker: Medium and Surroundings are its interfaces to solids and liquid.
package droplets
