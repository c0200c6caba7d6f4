package dev.tilewright.space.text;

/**
 * A word of a config in short.
 *
 * @param kind marks of one kind mean the same with other numbers, so that one of them is explained
 * @param text such as {@code s4}
 * @param meaning empty if the mark says it itself
 */
public record Mark(String kind, String text, String meaning) {

    /** One of many: a name that is explained wherever it is another. */
    public static Mark named(String text, String meaning) {
        return new Mark(text, text, meaning);
    }

    /** The mark of a parameter for which its family has no word. */
    static Mark plain(String parameter, Object value) {
        return new Mark(parameter, parameter + "=" + value, "");
    }
}
