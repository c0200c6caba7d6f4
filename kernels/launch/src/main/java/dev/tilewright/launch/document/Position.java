package dev.tilewright.launch.document;

/**
 * Where a value stands.
 *
 * @param line counted from 1
 * @param column counted from 1
 * @param path keys and indices from the root, such as {@code parameters[2].pointer}; empty for the root
 */
public record Place(int line, int column, String path) {
    Place key(String key, int keyLine, int keyColumn) {
        return new Place(keyLine, keyColumn, path.isEmpty() ? key : path + "." + key);
    }

    Place item(int index, int itemLine, int itemColumn) {
        return new Place(itemLine, itemColumn, path + "[" + index + "]");
    }

    /** What is wrong here. */
    public DocumentException wrong(String rule) {
        return new DocumentException(this + " " + rule);
    }

    @Override
    public String toString() {
        return line + ":" + column + ": " + (path.isEmpty() ? "document" : path) + ":";
    }
}
