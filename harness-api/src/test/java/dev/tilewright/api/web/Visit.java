package dev.tilewright.api.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Somebody who looks at pages and sends their forms, without a browser. */
public record Visit(Api api, String cookie, String formToken) {

    private static final Pattern FORM_TOKEN = Pattern.compile("name=\"formToken\" value=\"([0-9a-f]{64})\"");

    /** Begins at a page that has a form. */
    public static Visit at(Api api, String path) {
        Api.Answer page = api.send(page(api, path));
        Matcher token = FORM_TOKEN.matcher(page.text());
        assertThat(token.find()).as(page.text()).isTrue();
        String cookie = page.response().headers().allValues("set-cookie").stream()
                .filter(each -> each.startsWith("tilewright-session="))
                .findFirst()
                .orElseThrow();
        return new Visit(api, cookie.substring(0, cookie.indexOf(';')), token.group(1));
    }

    private static HttpRequest.Builder page(Api api, String path) {
        return api.request(path).header("accept", "text/html");
    }

    /** The text of a page. */
    public String read(String path) {
        Api.Answer page = api.send(page(api, path).header("cookie", cookie));
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        return page.text();
    }

    /** Sends a form with its token. */
    public Api.Answer send(String path, Map<String, String> fields) {
        return sendAlone(path, "formToken=" + formToken + "&" + encoded(fields));
    }

    /** Sends a form as another site would have the browser send it. */
    public Api.Answer sendForged(String path, Map<String, String> fields) {
        return sendAlone(path, encoded(fields));
    }

    private Api.Answer sendAlone(String path, String body) {
        return api.send(page(api, path)
                .header("cookie", cookie)
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static String encoded(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }
}
