// The names of attributes and uniforms are raylib's.
in vec3 vertexPosition;
in vec2 vertexTexCoord;
in vec3 vertexNormal;
uniform mat4 mvp;
uniform mat4 matModel;
out vec3 position;
out vec3 normal;
out vec2 texcoord;

void main() {
	position = vec3(matModel * vec4(vertexPosition, 1.0));
	normal = mat3(matModel) * vertexNormal;
	texcoord = vertexTexCoord;
	gl_Position = mvp * vec4(vertexPosition, 1.0);
}
