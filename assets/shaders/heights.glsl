// Heights over a place's surroundings at which the share of the sky is known, m; see open_fragment.glsl.
uniform mat4 OpenFromWorld; // to the map from above, 0 to 1
uniform vec4 OpenMap;       // 1 with a map; its texel of heights, m; the lowest height, m
const float Low = 0.25, Middle = 0.5, High = 1.0, Highest = 2.0;
