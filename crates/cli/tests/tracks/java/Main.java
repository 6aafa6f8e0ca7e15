import words.Doubling;

class Main {
    public static void main(String[] args) {
        System.out.println(Doubling.of(args[0]));
    }
}
