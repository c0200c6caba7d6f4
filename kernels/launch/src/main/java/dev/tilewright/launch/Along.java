package dev.tilewright.launch;

/** Which dimension of D a vector lies along: of M it has a number for each row, of N one for each column. */
public enum Along {
    M("m"),
    N("n");

    private final String text;

    Along(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
