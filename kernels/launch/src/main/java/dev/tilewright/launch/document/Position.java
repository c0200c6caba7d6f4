package dev.tilewright.launch.document;

/**
 * The position of a value in a file.
 *
 * @param line counted from 1
 * @param column counted from 1
 * @param path keys and indices from the root, such as {@code parameters[2].pointer}; empty for the root
 */
public record Position(int line, int column, String path) {
    Position key(String key, int keyLine, int keyColumn) {
        return new Position(keyLine, keyColumn, path.isEmpty() ? key : path + "." + key);
    }

    Position item(int index, int itemLine, int itemColumn) {
        return new Position(itemLine, itemColumn, path + "[" + index + "]");
    }

    /** A refusal of the document at this position. */
    public DocumentException wrong(String rule) {
        return new DocumentException(this + " " + rule);
    }

    @Override
    public String toString() {
        return line + ":" + column + ": " + (path.isEmpty() ? "document" : path) + ":";
    }
}
