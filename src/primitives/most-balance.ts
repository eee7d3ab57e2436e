/** A balance has 63 bits. Who asks for more than they hold gets half of them: it leaves room for what the account receives. */
export const MOST_BALANCE_SUN = 2n ** 62n;
