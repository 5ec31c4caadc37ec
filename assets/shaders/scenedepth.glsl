// How far the scene lies behind a pixel, with Draw's copy of it.
uniform mat4 InvViewProj;
uniform sampler2D SceneDepth;

// How far the scene is behind a place, along the camera's axis, m. back: the axis, towards the camera.
float behind(vec2 uv, vec3 place, vec3 back) {
    vec4 q = InvViewProj * vec4(vec3(uv, texture(SceneDepth, uv).r) * 2.0 - 1.0, 1.0);
    return dot(place - q.xyz / q.w, back);
}
