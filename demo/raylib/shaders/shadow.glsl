void main() {} // depth alone
