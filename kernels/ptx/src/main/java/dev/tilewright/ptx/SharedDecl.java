package dev.tilewright.ptx;

/**
 * A shared-memory variable: bytes of static storage, or the dynamic storage that the launch sizes ({@code bytes} 0).
 */
public record SharedDecl(String name, int bytes, int alignment) {
    public SharedDecl {
        if (bytes < 0) {
            throw new IllegalArgumentException("shared " + name + ": bytes must not be negative, got " + bytes);
        }
        SharedRegion.requireAlignment(name, alignment);
    }

    public static SharedDecl dynamic(String name, int alignment) {
        return new SharedDecl(name, 0, alignment);
    }

    public boolean isDynamic() {
        return bytes == 0;
    }
}
