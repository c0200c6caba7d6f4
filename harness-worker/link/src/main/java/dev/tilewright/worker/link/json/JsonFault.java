package dev.tilewright.worker.link.json;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DatabindException;

/** Why a text is not the JSON that was asked for, in words of its own: the parser speaks of its tokens and classes. */
public final class JsonFault {

    private JsonFault() {}

    /** The reason, such as {@code is no JSON from line 1, column 2 on}, to be put behind the name of the text. */
    public static String reason(JacksonException failure) {
        TokenStreamLocation location = failure.getLocation();
        String where = location == null || location.getLineNr() < 1
                ? ""
                : "line " + location.getLineNr() + ", column " + location.getColumnNr();
        if (failure.getOriginalMessage().startsWith("Duplicate")) {
            return "has a key twice" + (where.isEmpty() ? "" : ", " + where);
        }
        if (failure instanceof DatabindException) {
            String path = path(failure);
            return (path.isEmpty() ? "the document" : path) + " is missing or is of another kind than expected"
                    + (where.isEmpty() ? "" : ", " + where);
        }
        return "is no JSON" + (where.isEmpty() ? "" : " from " + where + " on");
    }

    /** Such as {@code studies[0].problem}. */
    private static String path(JacksonException failure) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : failure.getPath()) {
            String name = step.getPropertyName();
            path.append(name == null ? "[" + step.getIndex() + "]" : (path.isEmpty() ? "" : ".") + name);
        }
        return path.toString();
    }
}
