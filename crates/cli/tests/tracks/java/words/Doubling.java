package words;

public class Doubling {
    public static String of(String word) {
        if (word.chars().allMatch(Character::isDigit)) {
            return String.valueOf(2 * Integer.parseInt(word));
        }
        return word;
    }
}
