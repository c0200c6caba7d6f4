package dev.tilewright.ptx.parse;

/**
 * A piece of text.
 *
 * @param text as written, a modifier without its dot, a string without its quotes
 * @param joined no space lies before it
 */
record Token(Kind kind, String text, boolean joined, Position at) {
    /** The kind of a token. */
    enum Kind {
        /** A mnemonic, register, variable, label, or the sink {@code _}. */
        WORD("a name"),
        /** {@code .something}: a modifier of a mnemonic, a directive, a component of a register. */
        MODIFIER("a modifier"),
        NUMBER("a number"),
        STRING("a string"),
        MARK("a punctuation mark"),
        END("the end of the text");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    boolean is(Kind wanted, String wantedText) {
        return kind == wanted && text.equals(wantedText);
    }

    boolean isMark(String mark) {
        return is(Kind.MARK, mark);
    }

    /** For messages. */
    String shown() {
        return switch (kind) {
            case MODIFIER -> "'." + text + "'";
            case END -> kind.words;
            case WORD, NUMBER, STRING, MARK -> "'" + text + "'";
        };
    }
}
